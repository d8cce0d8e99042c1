// The history of forms, and a number that each change of one counts up: by it a change that was made to an
// older state is known. And who made an edit, of forms and of content blocks.
import type { CreateTableBuilder } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

const withSeq = <Table extends string>(table: CreateTableBuilder<Table>, kind: Kind) =>
  kind === 'sqlite'
    ? table.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn('seq', 'bigserial', (column) => column.primaryKey())

async function createEdits(tx: Tx, kind: Kind): Promise<void> {
  await withSeq(tx.schema.createTable('form_edits'), kind)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('form_id', 'text', (column) => column.notNull().references('forms.id').onDelete('cascade'))
    .addColumn('edited_ms', 'bigint', (column) => column.notNull())
    .addColumn('edited_by', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute()
  await tx.schema.createIndex('form_edits_in_order').on('form_edits').columns(['form_id', 'seq']).execute()
}

export const formEdits: RecordMigration = {
  name: '017_form_edits',
  up: async (tx, kind) => {
    await tx.schema
      .alterTable('forms')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await createEdits(tx, kind)
    await tx.schema.alterTable('content_edits').addColumn('edited_by', 'text').execute()
  },
}
