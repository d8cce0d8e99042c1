// Lists whose members confirm by email: which these are, whose submissions ask for it, and who was asked,
// has confirmed and has left.
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

async function createRules(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('list_rules')
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('list_key', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('is_confirmed', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('list_rules_key', ['property_id', 'list_key'])
    .execute()
  await tx.schema
    .createTable('list_forms')
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('list_key', 'text', (column) => column.notNull())
    .addColumn('form_id', 'text', (column) => column.notNull().references('forms.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('list_forms_key', ['form_id', 'list_key'])
    .execute()
  await tx.schema.createIndex('list_forms_of_property').on('list_forms').column('property_id').execute()
}

export const contactLists: RecordMigration = {
  name: '067_contact_lists',
  up: async (tx) => {
    await createRules(tx)
    await tx.schema
      .createTable('list_memberships')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('confirm_id', 'text', (column) => column.notNull().unique())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('contact_id', 'text', (column) => column.notNull().references('contacts.id').onDelete('cascade'))
      .addColumn('list_key', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('form_id', 'text')
      .addColumn('requested_ms', 'bigint', (column) => column.notNull())
      .addColumn('confirmed_ms', 'bigint')
      .addColumn('unsubscribed_ms', 'bigint')
      .addColumn('mailed_ms', 'bigint')
      .addColumn('mails', 'integer', (column) => column.notNull())
      .execute()
    await tx.schema
      .createIndex('list_memberships_of_email')
      .on('list_memberships')
      .columns(['property_id', 'list_key', 'email_key'])
      .unique()
      .execute()
    const index = (name: string, columns: string[]) =>
      tx.schema.createIndex(name).on('list_memberships').columns(columns)
    await index('list_memberships_of_contact', ['contact_id']).execute()
    await index('list_memberships_mailed', ['email_key', 'mailed_ms']).execute()
    await index('list_memberships_by_mail', ['property_id', 'mailed_ms']).execute()
  },
}
