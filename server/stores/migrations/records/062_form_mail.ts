// Who gets which email; what each form mails; which submissions are still to be told of. What was sent before
// is told to nobody.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

async function createSubscriptions(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('form_id', 'text', (column) => column.references('forms.id').onDelete('cascade'))
    .addColumn('list', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('unsubscribed_ms', 'bigint')
    .addUniqueConstraint('subscriptions_once', ['property_id', 'list', 'email_key'])
    .execute()
  await tx.schema.createIndex('subscriptions_of_form').on('subscriptions').column('form_id').execute()
  await tx.schema.createIndex('subscriptions_to').on('subscriptions').column('email_key').execute()
}

async function createFormMails(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('form_mails')
    .addColumn('form_id', 'text', (column) => column.primaryKey().references('forms.id').onDelete('cascade'))
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('is_on', 'integer', (column) => column.notNull())
    .addColumn('told_hour', 'integer', (column) => column.notNull())
    .addColumn('told', 'integer', (column) => column.notNull())
    .execute()
  await tx.schema.createIndex('form_mails_of_property').on('form_mails').column('property_id').execute()
}

export const formMail: RecordMigration = {
  name: '062_form_mail',
  up: async (tx) => {
    await createSubscriptions(tx)
    await createFormMails(tx)
    await tx.schema
      .alterTable('submissions')
      .addColumn('notice', 'text', (column) => column.notNull().defaultTo('none'))
      .execute()
    await sql`create index submissions_to_tell on submissions (notice, seq) where notice in ('due', 'digest')`.execute(
      tx,
    )
  },
}
