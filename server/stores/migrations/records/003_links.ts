// Short links in groups, and the counter that puts their changes in one order for all nodes.
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

const withSeq = (tx: Tx, kind: Kind, table: string) =>
  tx.schema
    .createTable(table)
    .addColumn('seq', kind === 'sqlite' ? 'integer' : 'bigserial', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))

async function createCounters(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('counters')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute()
}

async function createLinkGroups(tx: Tx, kind: Kind): Promise<void> {
  await withSeq(tx, kind, 'link_groups')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('track_clicks', 'integer', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .addColumn('change_no', 'bigint', (column) => column.notNull())
    .execute()
  await tx.schema.createIndex('link_groups_in_order').on('link_groups').columns(['property_id', 'seq']).execute()
  await tx.schema.createIndex('link_groups_by_change').on('link_groups').column('change_no').execute()
}

async function createLinks(tx: Tx, kind: Kind): Promise<void> {
  await withSeq(tx, kind, 'links')
    .addColumn('group_id', 'text', (column) => column.notNull().references('link_groups.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('destination_url', 'text', (column) => column.notNull())
    .addColumn('utm', 'text', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('is_deleted', 'integer', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .addColumn('change_no', 'bigint', (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) => tx.schema.createIndex(name).on('links').columns(columns)
  await index('links_by_code', ['code', 'domain']).unique().execute()
  await index('links_in_order', ['property_id', 'is_deleted', 'seq']).execute()
  await index('links_of_group', ['group_id', 'is_deleted', 'seq']).execute()
  await index('links_by_change', ['change_no']).execute()
}

export const links: RecordMigration = {
  name: '003_links',
  up: async (tx, kind) => {
    await createCounters(tx)
    await createLinkGroups(tx, kind)
    await createLinks(tx, kind)
  },
}
