// Submissions that make contacts: what a form says about it, whose each submission is, and to what people
// agreed. Forms from before make none until their owner says so.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

async function addColumns(tx: Tx): Promise<void> {
  await tx.schema
    .alterTable('forms')
    .addColumn('creates_contacts', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await tx.schema
    .alterTable('forms')
    .addColumn('contact_fields', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
  await tx.schema
    .alterTable('submissions')
    .addColumn('lead', 'text', (column) => column.notNull().defaultTo('none'))
    .execute()
  await tx.schema.alterTable('submissions').addColumn('contact_id', 'text').execute()
  await sql`create index submissions_due on submissions (seq) where lead = 'due'`.execute(tx)
  await sql`create index submissions_by_contact on submissions (contact_id) where contact_id is not null`.execute(tx)
}

export const leads: RecordMigration = {
  name: '049_leads',
  up: async (tx) => {
    await addColumns(tx)
    await tx.schema
      .createTable('contact_consents')
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('contact_id', 'text', (column) => column.notNull().references('contacts.id').onDelete('cascade'))
      .addColumn('submission_id', 'text', (column) => column.notNull())
      .addColumn('form_id', 'text', (column) => column.notNull())
      .addColumn('form_name', 'text', (column) => column.notNull())
      .addColumn('words', 'text', (column) => column.notNull())
      .addColumn('given_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('contact_consents_key', ['contact_id', 'submission_id'])
      .execute()
    await tx.schema.createIndex('contact_consents_of_property').on('contact_consents').column('property_id').execute()
  },
}
