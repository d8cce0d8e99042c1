// How long sign-in data of people is kept, and the job that removes it afterwards.
import { currentTs, type Deps } from '../kernel/deps.ts'
import { deleteOld, trimSignIns } from './retention-records.ts'

/** Entries of each kind that one person's log keeps, however many attempts were made. */
export const MOST_SIGN_INS = 1_000
/** Of the sign-in log; also how long a client counts as known (attempts.ts). */
export const KEPT_SIGN_IN_SECONDS = 90 * 86_400
/** How long a session may be idle, and how long it may last. */
export const IDLE_SECONDS = 14 * 86_400
export const LONGEST_SECONDS = 90 * 86_400

/** Expired sessions are refused by their times anyway; this removes the rows. */
export async function removeOldAccountRows({ records, now }: Pick<Deps, 'records' | 'now'>): Promise<void> {
  const nowTs = currentTs({ now })
  await deleteOld(records, {
    signInsBefore: nowTs - KEPT_SIGN_IN_SECONDS,
    sessionsSeenBefore: nowTs - IDLE_SECONDS,
    sessionsMadeBefore: nowTs - LONGEST_SECONDS,
    linksUntil: nowTs,
  })
  await trimSignIns(records, MOST_SIGN_INS)
}
