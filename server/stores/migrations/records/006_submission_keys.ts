// All addresses that were written into a submission, not only the first one, so that erasing a person finds
// it; and what of a form session is held for as long as it is open, so that it can be bounded and let go.
import { sql } from 'kysely'
import type { Tx } from '../../records.ts'
import type { RecordMigration } from '../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

async function createSubmissionKeys(tx: Tx, kind: Kind): Promise<void> {
  const table = tx.schema
    .createTable('submission_keys')
    .addColumn('property_id', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull())
    .addColumn('submission_id', 'text', (column) => column.notNull().references('submissions.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('submission_keys_by_email', ['property_id', 'email_key', 'submission_id'])
  await (kind === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute()
  // What goes with a submission is found by it.
  await tx.schema.createIndex('submission_keys_of_submission').on('submission_keys').column('submission_id').execute()
}

async function moveEmailKeys(tx: Tx): Promise<void> {
  await sql`insert into submission_keys (property_id, email_key, submission_id)
    select property_id, email_key, id from submissions where email_key is not null`.execute(tx)
  await tx.schema.dropIndex('submissions_by_email').execute()
  await tx.schema.alterTable('submissions').dropColumn('email_key').execute()
}

async function addFrozenBytes(tx: Tx): Promise<void> {
  await tx.schema
    .alterTable('form_sessions')
    .addColumn('frozen_bytes', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update form_sessions set frozen_bytes =
    octet_length(fields) + octet_length(validation) + coalesce(octet_length(success_html), 0)`.execute(tx)
  // Only those that still hold something: ten minutes of them, however many a day leaves.
  const index = (name: string, columns: string[]) =>
    tx.schema
      .createIndex(name)
      .on('form_sessions')
      .columns(columns)
      .where(sql<boolean>`frozen_bytes > 0`)
  await index('form_sessions_held', ['form_id', 'address_mac', 'expires_ms', 'frozen_bytes']).execute()
  await index('form_sessions_by_end', ['expires_ms']).execute()
}

export const submissionKeys: RecordMigration = {
  name: '006_submission_keys',
  up: async (tx, kind) => {
    await createSubmissionKeys(tx, kind)
    await moveEmailKeys(tx)
    await addFrozenBytes(tx)
  },
}
