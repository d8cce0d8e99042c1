// Content blocks with their versions, phases and edits; and how far a property's HTML may go.
import type { CreateTableBuilder } from 'kysely'
import type { Tx } from '../../records.ts'
import type { RecordMigration } from '../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

const withSeq = <Table extends string>(table: CreateTableBuilder<Table>, kind: Kind) =>
  table
    .addColumn('seq', kind === 'sqlite' ? 'integer' : 'bigserial', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())

const withProperty = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))

const withBlock = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('block_id', 'text', (column) => column.notNull().references('content_blocks.id').onDelete('cascade'))

const add = <Table extends string>(
  table: CreateTableBuilder<Table>,
  type: 'text' | 'integer' | 'bigint',
  names: string,
) => names.split(' ').reduce((made, name) => made.addColumn(name, type, (column) => column.notNull()), table)

async function createBlocks(tx: Tx, kind: Kind): Promise<void> {
  let table = withProperty(withSeq(tx.schema.createTable('content_blocks'), kind))
  table = add(add(table, 'text', 'key name salt goal'), 'integer', 'is_archived phase')
  await add(table, 'bigint', 'created_ts updated_ts').execute()
  await tx.schema.createIndex('content_blocks_by_key').on('content_blocks').column('key').unique().execute()
  await tx.schema.createIndex('content_blocks_in_order').on('content_blocks').columns(['property_id', 'seq']).execute()
}

async function createVersions(tx: Tx, kind: Kind): Promise<void> {
  let table = withBlock(withProperty(withSeq(tx.schema.createTable('content_versions'), kind)))
  table = add(add(table, 'text', 'label html ctas'), 'integer', 'weight is_active is_deleted')
  await add(table, 'bigint', 'created_ts updated_ts').execute()
  await tx.schema.createIndex('content_versions_of_block').on('content_versions').columns(['block_id', 'seq']).execute()
}

async function createPhases(tx: Tx): Promise<void> {
  const table = withBlock(withProperty(tx.schema.createTable('content_phases')))
  await add(add(table, 'bigint', 'started_ms'), 'text', 'setup')
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('ended_ms', 'bigint')
    .execute()
  await tx.schema
    .createIndex('content_phases_in_order')
    .on('content_phases')
    .columns(['block_id', 'number'])
    .unique()
    .execute()
}

async function createEdits(tx: Tx, kind: Kind): Promise<void> {
  let table = withBlock(withProperty(withSeq(tx.schema.createTable('content_edits'), kind)))
  table = add(add(table, 'text', 'kind'), 'bigint', 'edited_ms')
  await table.addColumn('version_id', 'text').addColumn('before', 'text').addColumn('after', 'text').execute()
  await tx.schema.createIndex('content_edits_in_order').on('content_edits').columns(['block_id', 'seq']).execute()
}

async function addPolicy(tx: Tx): Promise<void> {
  await tx.schema
    .alterTable('properties')
    .addColumn('content_policy', 'text', (column) => column.notNull().defaultTo('standard'))
    .execute()
}

export const content: RecordMigration = {
  name: '008_content',
  up: async (tx, kind) => {
    await createBlocks(tx, kind)
    await createVersions(tx, kind)
    await createPhases(tx)
    await createEdits(tx, kind)
    await addPolicy(tx)
  },
}
