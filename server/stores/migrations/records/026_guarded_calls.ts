// What a property does not take from browsers, and how much of it was refused; sessions that are marked as
// invalid; names of properties that are found whatever their capitals.
import { sql } from 'kysely'
import { searchedText } from '../../../kernel/words.ts'
import type { Tx } from '../../records.ts'
import type { RecordMigration } from '../records.ts'

/** US dollars. */
const USUAL_CEILING = 1_000_000

/** A database knows the case of ASCII alone. */
async function fillSearch(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from properties
    where octet_length(name) <> length(name)`.execute(tx)
  for (const { id, name } of rows)
    await sql`update properties set search = ${searchedText([name])} where id = ${id}`.execute(tx)
}

export const guardedCalls: RecordMigration = {
  name: '026_guarded_calls',
  up: async (tx) => {
    for (const [column, usual] of [
      ['is_token_only', 0],
      ['is_listed_only', 0],
      ['browser_max_usd', USUAL_CEILING],
    ] as const)
      await tx.schema
        .alterTable('properties')
        .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(usual))
        .execute()
    await tx.schema.alterTable('properties').addColumn('search', 'text').execute()
    await fillSearch(tx)
    await tx.schema
      .createTable('refused_calls')
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('refused_calls_key', ['property_id', 'day', 'reason', 'host'])
      .execute()
    await tx.schema
      .createTable('session_marks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('from_ms', 'bigint', (column) => column.notNull())
      .addColumn('to_ms', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('sessions', 'bigint', (column) => column.notNull())
      .addColumn('done', 'bigint', (column) => column.notNull())
      .addColumn('cursor_day', 'text', (column) => column.notNull())
      .addColumn('claimed_until_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('finished_ms', 'bigint')
      .execute()
    await tx.schema
      .createIndex('session_marks_in_order')
      .on('session_marks')
      .columns(['property_id', 'created_ms', 'id'])
      .execute()
    await tx.schema.createIndex('refused_calls_by_day').on('refused_calls').column('day').execute()
  },
}
