// Properties and their tokens, the daily salts, and the currency rates that replace those shipped with the
// program. Types that both databases read alike: text, integer, bigint (times), double precision.
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

async function createProperties(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('properties')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('domains', 'text', (column) => column.notNull())
    .addColumn('default_period', 'text')
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('proxy_key_hash', 'text')
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .execute()
}

async function createTokens(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .execute()
  await tx.schema.createIndex('tokens_of_property').on('tokens').columns(['property_id', 'created_ts', 'id']).execute()
}

async function createSalts(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('salts')
    .addColumn('day', 'integer', (column) => column.primaryKey())
    .addColumn('salt', 'text', (column) => column.notNull())
    .execute()
}

async function createCurrencyRates(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('currency_rates')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('per_usd', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('currency_rates_pk', ['currency', 'day'])
    .execute()
}

export const propertiesTokensSaltsRates: RecordMigration = {
  name: '001_properties_tokens_salts_rates',
  up: async (tx) => {
    await createProperties(tx)
    await createTokens(tx)
    await createSalts(tx)
    await createCurrencyRates(tx)
  },
}
