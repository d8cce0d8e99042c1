// Contacts, the sessions linked to them, and the index by which they are searched: trigrams of the column
// `search`, kept by the database itself.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

const nullableTexts = [
  'first_name',
  'last_name',
  'phone',
  'company',
  'job_title',
  'website',
  'country',
  'city',
] as const

async function createContacts(tx: Tx, kind: Kind): Promise<void> {
  const table = tx.schema
    .createTable('contacts')
    .addColumn('seq', kind === 'sqlite' ? 'integer' : 'bigserial', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('external_id', 'text')
    .addColumn('email', 'text')
    .addColumn('email_key', 'text')
    .addColumn('email_by', 'text')
    .addColumn('claimed_email', 'text')
  await nullableTexts
    .reduce((made, name) => made.addColumn(name, 'text'), table)
    .addColumn('lifecycle_stage', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('meta', 'text', (column) => column.notNull())
    .addColumn('first_seen_ts', 'bigint', (column) => column.notNull())
    .addColumn('identified_ts', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_ms', 'bigint', (column) => column.notNull())
    .addColumn('session_count', 'integer', (column) => column.notNull())
    .addColumn('search', 'text', (column) => column.notNull())
    .execute()
}

/**
 * Nulls are no values to a unique index, in either database: contacts without an external id or a claim do
 * not exclude each other.
 */
async function indexContacts(tx: Tx): Promise<void> {
  const unique = (name: string, column: string) =>
    tx.schema.createIndex(name).on('contacts').columns(['property_id', column]).unique().execute()
  const index = (name: string, columns: string[]) =>
    tx.schema
      .createIndex(name)
      .on('contacts')
      .columns(['property_id', ...columns])
      .execute()
  await unique('contacts_by_external_id', 'external_id')
  await unique('contacts_by_claimed_email', 'claimed_email')
  await index('contacts_by_email', ['email_key', 'email_by', 'last_seen_ms', 'seq'])
  await index('contacts_in_order', ['seq'])
  await index('contacts_by_state', ['state', 'seq'])
  await index('contacts_by_stage', ['lifecycle_stage', 'seq'])
}

async function createContactSessions(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('contact_sessions')
    .addColumn('property_id', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('contact_id', 'text', (column) => column.notNull().references('contacts.id').onDelete('cascade'))
    .addColumn('entry_ts', 'bigint', (column) => column.notNull())
    .addColumn('is_noted', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('contact_sessions_pk', ['property_id', 'day', 'session'])
    .execute()
  const index = tx.schema.createIndex('contact_sessions_in_order').on('contact_sessions')
  await index.columns(['contact_id', 'entry_ts']).execute()
  await sql`create index contact_sessions_to_note on contact_sessions (property_id) where is_noted = 0`.execute(tx)
}

/**
 * FTS5 over the column itself: the index holds trigrams alone. Triggers keep it, so that no statement can
 * forget to. Who erases a person switches its secure-delete on for that statement: it leaves nothing behind
 * in the index, and costs as much as a thousand other changes.
 */
const sqliteSearch = [
  sql`create virtual table contacts_search using fts5(search, content='contacts', content_rowid='seq', tokenize='trigram')`,
  sql`create trigger contacts_search_insert after insert on contacts begin
    insert into contacts_search(rowid, search) values (new.seq, new.search);
  end`,
  sql`create trigger contacts_search_delete after delete on contacts begin
    insert into contacts_search(contacts_search, rowid, search) values ('delete', old.seq, old.search);
  end`,
  sql`create trigger contacts_search_update after update of search on contacts when old.search <> new.search begin
    insert into contacts_search(contacts_search, rowid, search) values ('delete', old.seq, old.search);
    insert into contacts_search(rowid, search) values (new.seq, new.search);
  end`,
]

/** pg_trgm comes with PostgreSQL and is trusted: since version 13 the owner of a database may create it. */
const postgresSearch = [
  sql`create extension if not exists pg_trgm`,
  sql`create index contacts_search on contacts using gin (search gin_trgm_ops)`,
]

async function createSearch(tx: Tx, kind: Kind): Promise<void> {
  for (const statement of kind === 'sqlite' ? sqliteSearch : postgresSearch) await statement.execute(tx)
}

export const contacts: RecordMigration = {
  name: '002_contacts',
  up: async (tx, kind) => {
    await createContacts(tx, kind)
    await indexContacts(tx)
    await createContactSessions(tx)
    await createSearch(tx, kind)
  },
}
