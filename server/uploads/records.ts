// The statements about files that visitors send: the room that they take, those that wait for their form, and
// those of submissions.
import { type Records, type Tx, waitForTurn } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { RecordTables } from '../stores/tables.ts'

export type UploadRow = RecordTables['uploads']
export type SubmissionFile = Readonly<RecordTables['submission_files']>

/** Null is the sum of nothing; the databases write large numbers in different ways. */
const total = (of: { readonly bytes: number | string | bigint | null }): number => Number(of.bytes ?? 0)

/**
 * Calls that reserve room in the same property, or from the same address, wait until the transaction ends.
 */
export async function lockRoom(tx: Tx, row: Pick<UploadRow, 'address_mac' | 'property_id'>): Promise<void> {
  // Of any two, each takes the address first: none waits for one that waits for it.
  await waitForTurn(tx, `files from ${row.address_mac}`)
  await waitForTurn(tx, `files of ${row.property_id}`)
}

/** Everything of a property that lies in storage. */
export async function sumBytes(records: Records | Tx, propertyId: string): Promise<number> {
  const rows = records.selectFrom('uploads').where('property_id', '=', propertyId)
  return total(await rows.select((of) => of.fn.sum('bytes').as('bytes')).executeTakeFirstOrThrow())
}

/** What an address has sent that no form was sent with yet. */
export async function weighUnused(
  records: Records | Tx,
  addressMac: string,
): Promise<{ count: number; bytes: number }> {
  const row = await records
    .selectFrom('uploads')
    .where('address_mac', '=', addressMac)
    .where('attached_id', 'is', null)
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  return { count: row.count, bytes: total(row) }
}

export async function insertUpload(records: Tx, row: UploadRow): Promise<void> {
  await records.insertInto('uploads').values(row).execute()
}

/** All of it is there. False when it was swept meanwhile. */
export async function finishUpload(
  records: Records,
  { id, bytes, type, sha256 }: Pick<UploadRow, 'id' | 'bytes' | 'type' | 'sha256'>,
): Promise<boolean> {
  return (await changedBy(records.updateTable('uploads').set({ bytes, type, sha256 }).where('id', '=', id))) > 0
}

export async function deleteUpload(records: Records, id: string): Promise<void> {
  await records.deleteFrom('uploads').where('id', '=', id).execute()
}

/** Those of a form session that are whole and not expired. */
export async function listPending(
  records: Records,
  sessionHash: string,
  ids: readonly string[],
  nowMs: number,
): Promise<UploadRow[]> {
  if (ids.length === 0) return []
  return records
    .selectFrom('uploads')
    .selectAll()
    .where('id', 'in', ids)
    .where('session_hash', '=', sessionHash)
    .where('attached_id', 'is', null)
    .where('expires_ms', '>', nowMs)
    .where('type', '<>', '')
    .execute()
}

/** From here on it belongs to the submission alone. False when another one has it, or it was swept. */
export async function attachUpload(tx: Tx, file: SubmissionFile, nowMs: number): Promise<boolean> {
  await tx.insertInto('submission_files').values(file).execute()
  const own = {
    attached_id: file.id,
    expires_ms: 0,
    address_mac: '',
    session_hash: '',
    field: '',
    name: '',
    sha256: '',
  }
  const row = tx.updateTable('uploads').set(own).where('id', '=', file.id).where('attached_id', 'is', null)
  return (await changedBy(row.where('expires_ms', '>', nowMs))) > 0
}

/** Whose file is to be deleted: of no submission, and past their time. */
export async function listUnused(records: Records, beforeMs: number, limit: number): Promise<string[]> {
  const rows = await records
    .selectFrom('uploads')
    .select('id')
    .where('attached_id', 'is', null)
    .where('expires_ms', '<', beforeMs)
    .orderBy('expires_ms')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** In the order in which they were sent; none for a submission without files. */
export async function listFiles(records: Records, submissionIds: readonly string[]): Promise<SubmissionFile[]> {
  if (submissionIds.length === 0) return []
  return records
    .selectFrom('submission_files')
    .selectAll()
    .where('submission_id', 'in', submissionIds)
    .orderBy('place')
    .orderBy('id')
    .execute()
}

export const findFile = (records: Records, id: string): Promise<SubmissionFile | undefined> =>
  records.selectFrom('submission_files').selectAll().where('id', '=', id).executeTakeFirst()
