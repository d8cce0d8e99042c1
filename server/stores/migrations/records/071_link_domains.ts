// Domains of a property's own for its short links, behind one of the two short domains.
import type { RecordMigration } from '../records.ts'

export const linkDomains: RecordMigration = {
  name: '071_link_domains',
  up: async (tx) => {
    await tx.schema
      .createTable('link_domains')
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('fault', 'text')
      .addColumn('checked_ts', 'bigint')
      .addColumn('verified_ts', 'bigint')
      .addColumn('created_ts', 'bigint', (column) => column.notNull())
      .addColumn('change_no', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_domains_by_host', ['host', 'property_id'])
      .execute()
    const index = (name: string, columns: string[]) => tx.schema.createIndex(name).on('link_domains').columns(columns)
    await index('link_domains_verified', ['host']).unique().where('state', '=', 'verified').execute()
    await index('link_domains_of_property', ['property_id', 'domain'])
      .unique()
      .where('state', '!=', 'removed')
      .execute()
    await index('link_domains_by_change', ['change_no']).execute()
    await tx.schema.alterTable('links').addColumn('slot', 'text').execute()
  },
}
