// The statements by which the counts of contacts leave out sessions that are marked as invalid. Words about a
// session only ever grow, so each is taken in once, in whatever order they come.
import { type ExpressionBuilder, sql } from 'kysely'
import { dayFromText } from '../kernel/days.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import { type Records, sharingCommit, type Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export interface MarkedLink {
  readonly day: number
  readonly session: string
  readonly mark: number
}

/** In the order of day and hash. */
export async function listLinksFrom(
  records: Records,
  propertyId: string,
  { day, session, lastDay }: { readonly day: number; readonly session: string; readonly lastDay: number },
  limit: number,
): Promise<MarkedLink[]> {
  return records
    .selectFrom('contact_sessions')
    .select(['day', 'session', 'mark'])
    .where('property_id', '=', propertyId)
    .where('day', '<=', lastDay)
    .where((of) => of(of.refTuple('day', 'session'), '>', of.tuple(day, session)))
    .orderBy('day')
    .orderBy('session')
    .limit(limit)
    .execute()
}

/** Sessions without a contact are left out. */
export async function listLinksOf(
  records: Records,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<MarkedLink[]> {
  return records
    .selectFrom('contact_sessions')
    .select(['day', 'session', 'mark'])
    .where('property_id', '=', propertyId)
    .where((of) =>
      of.or(keys.map(({ day, session }) => of.and([of('day', '=', dayFromText(day)), of('session', '=', session)]))),
    )
    .execute()
}

const isInvalid = (mark: number): boolean => mark % 2 === 1

/** The earlier of the identification and the first of the sessions that count. */
const firstSeen = (of: ExpressionBuilder<RecordTables, 'contacts'>) => {
  const first = of
    .selectFrom('contact_sessions')
    .select('entry_ts')
    .whereRef('contact_id', '=', 'contacts.id')
    .where((link) => link(link('mark', '%', 2), '=', 0))
    .orderBy('entry_ts')
    .limit(1)
  return sql<number>`case when ${first} < identified_ts then ${first} else identified_ts end`
}

async function recount(tx: Tx, contactId: string, change: 1 | -1): Promise<void> {
  await tx
    .updateTable('contacts')
    .set((of) => ({ session_count: of('session_count', '+', change), first_seen_ts: firstSeen(of) }))
    .where('id', '=', contactId)
    .execute()
}

/** @returns by how much the count of its contact has changed. */
async function noteMark(tx: Tx, propertyId: string, { day, session, mark }: MarkedLink): Promise<-1 | 0 | 1> {
  const change = tx
    .updateTable('contact_sessions')
    .set({ mark })
    .where('property_id', '=', propertyId)
    .where('day', '=', day)
    .where('session', '=', session)
    .where('mark', '<', mark)
  const turned = await change
    .where((of) => of(of('mark', '%', 2), '<>', mark % 2))
    .returning('contact_id')
    .executeTakeFirst()
  if (!turned) {
    await change.execute()
    return 0
  }
  const by = isInvalid(mark) ? -1 : 1
  await recount(tx, turned.contact_id, by)
  return by
}

/**
 * Each by itself: two that touch the same contacts never wait for each other. @returns the sum of what
 * noteMark does.
 */
export async function noteMarks(records: Records, propertyId: string, words: readonly MarkedLink[]): Promise<number> {
  const changes = await Promise.all(words.map((word) => sharingCommit(records, (tx) => noteMark(tx, propertyId, word))))
  return changes.reduce<number>((sum, change) => sum + change, 0)
}
