// Accounts: people with their sessions, sign-ins and recovery codes; members, invitations and shares of
// properties; the making of the first owner.
import { randomBytes } from 'node:crypto'
import type { CreateTableBuilder } from 'kysely'
import type { Tx } from '../../records.ts'
import type { RecordMigration } from '../records.ts'

/** Of the one-time link for the first owner: as hard to guess as any token. */
const NONCE_BYTES = 32

type Kind = Parameters<RecordMigration['up']>[1]

const withSeq = <Table extends string>(table: CreateTableBuilder<Table>, kind: Kind) =>
  table.addColumn('seq', kind === 'sqlite' ? 'integer' : 'bigserial', (column) =>
    kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
  )

const withId = <Table extends string>(table: CreateTableBuilder<Table>, kind: Kind) =>
  withSeq(table, kind).addColumn('id', 'text', (column) => column.notNull().unique())

const withUser = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))

const withProperty = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))

const withHash = <Table extends string>(table: CreateTableBuilder<Table>) =>
  table.addColumn('hash', 'text', (column) => column.notNull().unique())

const add = <Table extends string>(
  table: CreateTableBuilder<Table>,
  type: 'text' | 'integer' | 'bigint',
  names: string,
) => names.split(' ').reduce((made, name) => made.addColumn(name, type, (column) => column.notNull()), table)

async function createUsers(tx: Tx, kind: Kind): Promise<void> {
  let table = add(withId(tx.schema.createTable('users'), kind), 'text', 'email name')
  table = table.addColumn('email_key', 'text', (column) => column.notNull().unique())
  table = add(add(table, 'integer', 'is_owner is_active'), 'bigint', 'created_ts')
  await table
    .addColumn('password_hash', 'text')
    .addColumn('totp_secret', 'text')
    .addColumn('totp_pending', 'text')
    .addColumn('totp_last_step', 'bigint')
    .execute()
}

async function createSessions(tx: Tx, kind: Kind): Promise<void> {
  const table = withHash(withUser(withId(tx.schema.createTable('user_sessions'), kind)))
  await add(add(table, 'bigint', 'created_ts last_seen_ts'), 'text', 'browser os').execute()
  await tx.schema.createIndex('user_sessions_of_user').on('user_sessions').columns(['user_id', 'seq']).execute()
}

async function createSignIns(tx: Tx, kind: Kind): Promise<void> {
  const table = withSeq(tx.schema.createTable('sign_ins'), kind).addColumn('user_id', 'text', (column) =>
    column.references('users.id').onDelete('cascade'),
  )
  await add(add(table, 'bigint', 'ts'), 'text', 'outcome browser os country address client').execute()
  await tx.schema.createIndex('sign_ins_of_user').on('sign_ins').columns(['user_id', 'seq']).execute()
}

async function createRecoveryCodes(tx: Tx): Promise<void> {
  await add(withUser(tx.schema.createTable('recovery_codes')), 'text', 'hash').execute()
  await tx.schema
    .createIndex('recovery_codes_of_user')
    .on('recovery_codes')
    .columns(['user_id', 'hash'])
    .unique()
    .execute()
}

async function createMembers(tx: Tx): Promise<void> {
  await add(
    add(withUser(withProperty(tx.schema.createTable('members'))), 'text', 'role'),
    'bigint',
    'created_ts',
  ).execute()
  await tx.schema.createIndex('members_once').on('members').columns(['property_id', 'user_id']).unique().execute()
  await tx.schema.createIndex('members_of_user').on('members').column('user_id').execute()
}

async function createInvitations(tx: Tx, kind: Kind): Promise<void> {
  const table = withHash(withId(tx.schema.createTable('invitations'), kind))
  await add(add(add(table, 'text', 'kind email email_key'), 'integer', 'drops_totp'), 'bigint', 'created_ts expires_ts')
    .addColumn('property_id', 'text', (column) => column.references('properties.id').onDelete('cascade'))
    .addColumn('role', 'text')
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .execute()
  await tx.schema.createIndex('invitations_of_property').on('invitations').columns(['property_id', 'seq']).execute()
  await tx.schema.createIndex('invitations_of_user').on('invitations').column('user_id').execute()
  await tx.schema.createIndex('invitations_by_email').on('invitations').column('email_key').execute()
}

async function createShares(tx: Tx, kind: Kind): Promise<void> {
  const table = withHash(withProperty(withId(tx.schema.createTable('shares'), kind)))
  await add(add(table, 'text', 'name'), 'bigint', 'created_ts')
    .addColumn('password_hash', 'text')
    .execute()
  await tx.schema.createIndex('shares_in_order').on('shares').columns(['property_id', 'seq']).execute()
}

async function createSetup(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('account_setup')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('used_ts', 'bigint')
    .execute()
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  await tx.insertInto('account_setup').values({ name: 'owner', nonce, used_ts: null }).execute()
}

export const accounts: RecordMigration = {
  name: '009_accounts',
  up: async (tx, kind) => {
    await createUsers(tx, kind)
    await createSessions(tx, kind)
    await createSignIns(tx, kind)
    await createRecoveryCodes(tx)
    await createMembers(tx)
    await createInvitations(tx, kind)
    await createShares(tx, kind)
    await createSetup(tx)
  },
}
