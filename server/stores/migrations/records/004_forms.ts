// Forms, the sessions in which they are filled in, and what was sent.
import type { CreateTableBuilder } from 'kysely'
import type { Tx } from '../../records.ts'
import type { RecordMigration } from '../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

/** Reference of a row to the property that it goes with. */
const withProperty = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))

const withForm = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('form_id', 'text', (column) => column.notNull().references('forms.id').onDelete('cascade'))

const withSeq = <Table extends string>(table: CreateTableBuilder<Table>, kind: Kind) =>
  table
    .addColumn('seq', kind === 'sqlite' ? 'integer' : 'bigserial', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())

const addTexts = <Table extends string>(table: CreateTableBuilder<Table>, names: string) =>
  names.split(' ').reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table)

const addNumbers = <Table extends string>(table: CreateTableBuilder<Table>, names: string) =>
  names.split(' ').reduce((made, name) => made.addColumn(name, 'integer', (column) => column.notNull()), table)

const addTimes = <Table extends string>(table: CreateTableBuilder<Table>, names: string) =>
  names.split(' ').reduce((made, name) => made.addColumn(name, 'bigint', (column) => column.notNull()), table)

async function createForms(tx: Tx, kind: Kind): Promise<void> {
  let table = withProperty(withSeq(tx.schema.createTable('forms'), kind))
  table = addTexts(table, 'key name kind domains fields validation presentation success_html')
  table = addNumbers(table, 'is_published is_archived branding')
  await addTimes(table.addColumn('retention_days', 'integer'), 'created_ts updated_ts').execute()
  await tx.schema.createIndex('forms_by_key').on('forms').column('key').unique().execute()
  await tx.schema.createIndex('forms_in_order').on('forms').columns(['property_id', 'seq']).execute()
}

async function createFormSessions(tx: Tx): Promise<void> {
  let table = tx.schema.createTable('form_sessions').addColumn('token_hash', 'text', (column) => column.primaryKey())
  table = addTexts(withForm(withProperty(table)), 'fact_id address_mac agent_mac honeypot fields validation source')
  table = addNumbers(table, 'is_started traps has_origin')
  await addTimes(table, 'opened_ms expires_ms')
    .addColumn('consumed_ms', 'bigint')
    .addColumn('success_html', 'text')
    .addColumn('session_day', 'integer')
    .addColumn('session', 'text')
    .execute()
  const index = (name: string, columns: string[]) => tx.schema.createIndex(name).on('form_sessions').columns(columns)
  await index('form_sessions_by_address', ['property_id', 'address_mac', 'opened_ms']).execute()
  await index('form_sessions_by_age', ['opened_ms']).execute()
  await index('form_sessions_of_form', ['form_id', 'opened_ms']).execute()
}

async function createSubmissions(tx: Tx, kind: Kind): Promise<void> {
  let table = withForm(withProperty(withSeq(tx.schema.createTable('submissions'), kind)))
  table = addTexts(table, 'fact_id verdict reasons fields ip country country_code region city')
  table = addTexts(table, 'browser os device language bot_name bot_reason source lib')
  table = addNumbers(table, 'score is_bot is_noted')
  await addTimes(table, 'submitted_ms')
    .addColumn('mark', 'text')
    .addColumn('email_key', 'text')
    .addColumn('lat', 'double precision')
    .addColumn('lon', 'double precision')
    .addColumn('session_day', 'integer')
    .addColumn('session', 'text')
    .addColumn('body_mac', 'text')
    .addColumn('signals_mac', 'text')
    .execute()
  const index = (name: string, columns: string[]) => tx.schema.createIndex(name).on('submissions').columns(columns)
  // With what lists filter by: counting half a million of them reads the index alone.
  await index('submissions_in_order', ['form_id', 'seq', 'verdict', 'mark', 'submitted_ms']).execute()
  await index('submissions_by_time', ['form_id', 'submitted_ms']).execute()
  await index('submissions_by_body', ['property_id', 'body_mac', 'submitted_ms']).execute()
  await index('submissions_by_signals', ['property_id', 'signals_mac', 'submitted_ms']).execute()
  await index('submissions_by_email', ['property_id', 'email_key']).execute()
  await index('submissions_by_session', ['property_id', 'session_day', 'session']).execute()
  await index('submissions_unnoted', ['is_noted', 'seq']).execute()
}

export const forms: RecordMigration = {
  name: '004_forms',
  up: async (tx, kind) => {
    await createForms(tx, kind)
    await createFormSessions(tx)
    await createSubmissions(tx, kind)
  },
}
