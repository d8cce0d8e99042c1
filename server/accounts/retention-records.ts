// The statements that remove expired rows of all accounts.
import type { Records } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'

/** Rows per statement: it takes some milliseconds, after which others may write. */
const ROWS_AT_ONCE = 500

type Log = Awaited<ReturnType<typeof listFullLogs>>[number]

/** The people, null for unknown ones, who have too many log entries of either kind. */
async function listFullLogs(records: Records, most: number) {
  return records
    .selectFrom('sign_ins')
    .select((of) => ['user_id', of('outcome', '=', 'ok').as('is_ok')])
    .groupBy(['user_id', 'is_ok'])
    .having((of) => of.fn.countAll<number>(), '>', most)
    .execute()
}

const linesOf = (records: Records, { user_id: who, is_ok: isOk }: Log) =>
  records
    .selectFrom('sign_ins')
    .select('seq')
    .where('user_id', who === null ? 'is' : '=', who)
    .where('outcome', isOk ? '=' : '!=', 'ok')

/** Entries beyond the newest, a limited number at a time. */
async function trimLog(records: Records, log: Log, kept: number): Promise<void> {
  const last = await linesOf(records, log).orderBy('seq', 'desc').offset(kept).limit(1).executeTakeFirst()
  if (!last) return
  const old = linesOf(records, log).where('seq', '<=', last.seq).orderBy('seq')
  await inSteps((most) => changedBy(records.deleteFrom('sign_ins').where('seq', 'in', old.limit(most))), ROWS_AT_ONCE)
}

/**
 * For each person, keeps the newest successful and the newest failed entries: however many tries fail, the
 * places where the person signed in stay known.
 */
export async function trimSignIns(records: Records, most: number): Promise<void> {
  for (const log of await listFullLogs(records, most)) await trimLog(records, log, most)
}

export interface Ends {
  readonly signInsBefore: number
  readonly sessionsSeenBefore: number
  readonly sessionsMadeBefore: number
  readonly linksUntil: number
}

export async function deleteOld(records: Records, ends: Ends): Promise<void> {
  await records.deleteFrom('sign_ins').where('ts', '<', ends.signInsBefore).execute()
  await records
    .deleteFrom('user_sessions')
    .where((of) =>
      of.or([of('last_seen_ts', '<', ends.sessionsSeenBefore), of('created_ts', '<', ends.sessionsMadeBefore)]),
    )
    .execute()
  await records.deleteFrom('invitations').where('expires_ts', '<=', ends.linksUntil).execute()
}
