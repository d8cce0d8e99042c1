// Mail that is about somebody, or for somebody, who is erased: it is not sent any more, and the log does not
// say whom it was for.
import type { Tx } from '../stores/records.ts'

/** By what mail is found to be somebody's. */
export interface MailSubject {
  /** The comparison forms of their addresses. */
  readonly emailKeys: readonly string[]
  readonly submissionIds: readonly string[]
}

const blank = { to_email: '', to_key: '', inbox_key: '', content: null, error: null, once_key: null } as const

/** Ids of one statement, each a look into the index. */
const IDS_AT_ONCE = 100

/** @param propertyId null: of accounts. An attempt that is under way finds its claim gone. */
export async function eraseMails(
  tx: Tx,
  propertyId: string | null,
  { emailKeys, submissionIds }: MailSubject,
  nowMs: number,
): Promise<void> {
  const own = tx.updateTable('mails').where('property_id', propertyId === null ? 'is' : '=', propertyId)
  const forget = async (found: typeof own): Promise<void> => {
    await found.set({ state: 'erased', finished_ms: nowMs }).where('state', '=', 'pending').execute()
    await found.set(blank).execute()
  }
  for (let at = 0; at < submissionIds.length; at += IDS_AT_ONCE)
    await forget(own.where('submission_id', 'in', submissionIds.slice(at, at + IDS_AT_ONCE)))
  const known = emailKeys.filter((key) => key !== '')
  if (known.length > 0) await forget(own.where('to_key', 'in', known))
}
