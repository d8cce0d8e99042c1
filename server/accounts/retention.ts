// How long what is kept about people's sign-ins stays, and its removal when that is over.
import type { Deps } from '../kernel/deps.ts'
import { deleteOld, trimSignIns } from './retention-records.ts'

/** What one person's log holds of each kind once it was tidied, whoever guessed meanwhile. */
export const MOST_SIGN_INS = 1_000
/** Of the sign-in log; what limits call a known place. */
export const KEPT_SIGN_IN_SECONDS = 90 * 86_400
/** A session that nobody used, and the longest of all. */
export const IDLE_SECONDS = 14 * 86_400
export const LONGEST_SECONDS = 90 * 86_400

/** Whoever comes is refused by the time alone; this is about what stands in the records. */
export async function removeOldAccountRows({ records, now }: Pick<Deps, 'records' | 'now'>): Promise<void> {
  const nowTs = Math.floor(now() / 1000)
  await deleteOld(records, {
    signInsBefore: nowTs - KEPT_SIGN_IN_SECONDS,
    sessionsSeenBefore: nowTs - IDLE_SECONDS,
    sessionsMadeBefore: nowTs - LONGEST_SECONDS,
    linksUntil: nowTs,
  })
  await trimSignIns(records, MOST_SIGN_INS)
}
