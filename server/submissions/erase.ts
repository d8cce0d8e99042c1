// What somebody sent through forms, removed with the person: by their address in any answer, and by the
// sessions that are known to be theirs.
import type { Deps } from '../kernel/deps.ts'
import type { Tx } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import {
  deleteRows,
  eraseOfAddresses,
  eraseOfContacts,
  eraseOfSessions,
  idsOfAddresses,
  idsOfContacts,
  idsOfSessions,
  listSome,
  type Sender,
} from './erasure-records.ts'
import type { FormScope } from './list-records.ts'

export type { Sender } from './erasure-records.ts'

/** Sessions of one statement, each a look into the index. */
const SESSIONS_AT_ONCE = 100

/** All that eraseSubmissions erases, for whoever keeps something about a submission: to be asked before. */
export async function listSubmissionsOf(
  tx: Tx,
  propertyId: string,
  { contact_ids, email_keys, sessions }: Sender,
): Promise<string[]> {
  const ids = new Set(await idsOfContacts(tx, propertyId, contact_ids))
  for (const id of await idsOfAddresses(tx, propertyId, email_keys)) ids.add(id)
  for (let at = 0; at < sessions.length; at += SESSIONS_AT_ONCE)
    for (const id of await idsOfSessions(tx, propertyId, sessions.slice(at, at + SESSIONS_AT_ONCE))) ids.add(id)
  return [...ids]
}

/**
 * In the transaction that erases the person, whatever became of their submissions: kept, flagged or dropped.
 * @returns how many there were.
 */
export async function eraseSubmissions(tx: Tx, propertyId: string, sender: Sender): Promise<number> {
  const made = await eraseOfContacts(tx, propertyId, sender.contact_ids)
  let erased = await eraseOfAddresses(tx, propertyId, sender.email_keys)
  for (let at = 0; at < sender.sessions.length; at += SESSIONS_AT_ONCE)
    erased += await eraseOfSessions(tx, propertyId, sender.sessions.slice(at, at + SESSIONS_AT_ONCE))
  return erased + made
}

// ---------------------------------------------------------------- one by one

/** What else tells of submissions is forgotten in the transaction that deletes them; how, is handed in. */
export type ForgetSubmissions = (tx: Tx, propertyId: string, submissionIds: readonly string[]) => Promise<void>

export interface RemoveDeps extends Pick<Deps, 'records'> {
  readonly forgetSubmissions: ForgetSubmissions
}

/** Of a form: all of them, or those from before a moment. @returns how many there were. */
export function removeSubmissions(
  deps: RemoveDeps,
  { propertyId, formId }: FormScope,
  beforeMs = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  return inSteps(async (most) => {
    const rows = await listSome(deps.records, formId, beforeMs, most)
    await deleteSubmissions(deps, propertyId, rows)
    return rows.length
  })
}

/**
 * @param rows of the property; few enough for one statement.
 * @param note what else is written down in the same transaction, of as many as were still there.
 * @returns how many these were.
 */
export async function deleteSubmissions(
  { records, forgetSubmissions }: RemoveDeps,
  propertyId: string,
  rows: readonly { readonly seq: number; readonly id: string }[],
  note: (tx: Tx, deleted: number) => Promise<void> = async () => undefined,
): Promise<number> {
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const seqs = rows.map(({ seq }) => seq)
  return records.transaction().execute(async (tx) => {
    await forgetSubmissions(tx, propertyId, ids)
    const deleted = await deleteRows(tx, seqs)
    await note(tx, deleted)
    return deleted
  })
}
