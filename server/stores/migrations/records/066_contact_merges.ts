// Contacts that were merged into others: by what else each is known from then on, what was moved, and what is
// needed to undo it.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

async function createAliases(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('contact_aliases')
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('contact_id', 'text', (column) => column.notNull().references('contacts.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('shown', 'text', (column) => column.notNull())
    .addColumn('given_by', 'text')
    .addColumn('merge_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('contact_aliases_key', ['property_id', 'kind', 'alias', 'contact_id', 'merge_id'])
    .execute()
  await tx.schema.createIndex('contact_aliases_of_contact').on('contact_aliases').column('contact_id').execute()
  await tx.schema.createIndex('contact_aliases_of_merge').on('contact_aliases').column('merge_id').execute()
  // As the external ids of contacts are: one names one.
  await sql`create unique index contact_aliases_external on contact_aliases (property_id, alias)
    where kind = 'external_id'`.execute(tx)
}

async function createMerges(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('contact_merges')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('kept_id', 'text', (column) => column.notNull())
    .addColumn('other_id', 'text', (column) => column.notNull())
    .addColumn('merged_ms', 'bigint', (column) => column.notNull())
    .addColumn('edited_by', 'text', (column) => column.notNull())
    .addColumn('snapshot', 'text')
    .execute()
  await tx.schema
    .createIndex('contact_merges_of_contact')
    .on('contact_merges')
    .columns(['property_id', 'kept_id', 'merged_ms'])
    .execute()
  await sql`create index contact_merges_to_forget on contact_merges (merged_ms) where snapshot is not null`.execute(tx)
  await tx.schema
    .createTable('contact_merge_moves')
    .addColumn('merge_id', 'text', (column) => column.notNull().references('contact_merges.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('contact_merge_moves_key', ['merge_id', 'kind', 'day', 'key'])
    .execute()
}

export const contactMerges: RecordMigration = {
  name: '066_contact_merges',
  up: async (tx) => {
    await tx.schema
      .alterTable('contact_sessions')
      .addColumn('moves', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await createAliases(tx)
    await createMerges(tx)
  },
}
