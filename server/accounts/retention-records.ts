// The statements that remove what is over, of everybody.
import type { Records } from '../stores/records.ts'

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
