// Conversions, automations, and the deliveries of their webhooks.
import type { CreateTableBuilder } from 'kysely'
import type { Tx } from '../../records.ts'
import type { RecordMigration } from '../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

const withSeq = <Table extends string>(table: CreateTableBuilder<Table>, kind: Kind) =>
  table.addColumn('seq', kind === 'sqlite' ? 'integer' : 'bigserial', (column) =>
    kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
  )

const withProperty = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))

const add = <Table extends string>(
  table: CreateTableBuilder<Table>,
  type: 'text' | 'integer' | 'bigint',
  names: string,
  isNullable = false,
) =>
  names
    .split(' ')
    .reduce((made, name) => made.addColumn(name, type, (column) => (isNullable ? column : column.notNull())), table)

const withId = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('id', 'text', (column) => column.notNull().unique())

async function createConversions(tx: Tx, kind: Kind): Promise<void> {
  const table = withProperty(withId(withSeq(tx.schema.createTable('conversions'), kind)))
  await add(add(add(table, 'text', 'name event_type'), 'text', 'event_value', true), 'bigint', 'created_ts').execute()
  await tx.schema.createIndex('conversions_in_order').on('conversions').columns(['property_id', 'seq']).execute()
}

async function createAutomations(tx: Tx, kind: Kind): Promise<void> {
  let table = withProperty(withId(withSeq(tx.schema.createTable('automations'), kind)))
  table = add(table, 'text', 'event_type actions secret')
  table = add(table, 'text', 'name event_value conversion_id disabled_reason previous_secret', true)
  table = add(table, 'integer', 'is_active failures')
  table = add(table, 'bigint', 'disabled_ts previous_until_ts', true)
  await add(table, 'bigint', 'created_ts updated_ts').execute()
  await tx.schema.createIndex('automations_in_order').on('automations').columns(['property_id', 'seq']).execute()
}

async function createDeliveries(tx: Tx, kind: Kind): Promise<void> {
  let table = withProperty(withId(withSeq(tx.schema.createTable('deliveries'), kind)))
  table = add(table, 'text', 'automation_id action_id url lane payload event_type state')
  table = add(table, 'text', 'event_value event conversion_id session submission_id contact_id claim body', true)
  table = add(table, 'integer', 'priority is_test attempts max_attempts')
  table = add(table, 'integer', 'session_day', true)
  table = add(table, 'bigint', 'next_attempt_ms created_ms')
  await add(table, 'bigint', 'finished_ms', true).execute()
  const index = (name: string, columns: string[]) => tx.schema.createIndex(name).on('deliveries').columns(columns)
  await index('deliveries_due', ['state', 'lane', 'priority', 'next_attempt_ms']).execute()
  await index('deliveries_of_automation', ['automation_id', 'seq']).execute()
  await index('deliveries_by_state', ['automation_id', 'state', 'seq']).execute()
  await index('deliveries_by_age', ['finished_ms']).execute()
  await index('deliveries_by_session', ['property_id', 'session_day', 'session']).execute()
  await index('deliveries_by_contact', ['property_id', 'contact_id']).execute()
  await index('deliveries_by_submission', ['submission_id']).execute()
}

async function createAttempts(tx: Tx, kind: Kind): Promise<void> {
  let table = withSeq(tx.schema.createTable('delivery_attempts'), kind).addColumn('delivery_id', 'text', (column) =>
    column.notNull().references('deliveries.id').onDelete('cascade'),
  )
  table = add(table, 'text', 'property_id request_headers response_headers response_body')
  table = add(table, 'integer', 'number is_manual duration_ms')
  table = add(table, 'integer', 'status', true)
  await add(add(table, 'bigint', 'started_ms'), 'text', 'error', true).execute()
  await tx.schema
    .createIndex('delivery_attempts_in_order')
    .on('delivery_attempts')
    .columns(['delivery_id', 'number'])
    .execute()
}

export const automations: RecordMigration = {
  name: '005_automations',
  up: async (tx, kind) => {
    await createConversions(tx, kind)
    await createAutomations(tx, kind)
    await createDeliveries(tx, kind)
    await createAttempts(tx, kind)
  },
}
