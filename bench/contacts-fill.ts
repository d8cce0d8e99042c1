// Writes the bench's contacts straight into the records, and their sessions into the facts: `node
// bench/contacts-fill.ts COUNT [facts]`. Started by contacts.ts when no server has the stores open; prints
// one line of JSON.
import { CompiledQuery, sql } from 'kysely'
import { readConfig } from '../server/config.ts'
import { openContext, type OpenContext } from '../server/context.ts'
import { secretHash } from '../server/kernel/secrets.ts'
import { scopes } from '../server/properties/tokens.ts'
import { recordsKind, type Records } from '../server/stores/records.ts'
import { contactRow, linkRow, PROPERTY_ID, PROPERTY_KEY, TOKENS, viewRow } from './contacts-rows.ts'

/** 23 values each: near the most that either database takes in one statement. */
const CHUNK = 1_000
/** Chunks of one transaction. */
const CHUNKS = 20
const VIEWS = 20_000

const context = await openContext({ ...readConfig(), logLevel: 'warn' })
const { records } = context
const count = Number(process.argv[2])
const nowMs = context.now()

async function addProperty(): Promise<void> {
  const created_ts = Math.floor(nowMs / 1000)
  await records
    .insertInto('properties')
    .values({
      id: PROPERTY_ID,
      key: PROPERTY_KEY,
      name: 'Bench',
      domains: '["bench.example"]',
      default_period: null,
      plan: 'paid',
      proxy_key_hash: null,
      created_ts,
    })
    .execute()
  await records
    .insertInto('tokens')
    .values(
      TOKENS.map((token, index) => ({
        id: `tk_BenchOfContacts${index}`,
        property_id: PROPERTY_ID,
        name: 'bench',
        hash: secretHash(token),
        scopes: JSON.stringify(scopes),
        created_ts,
      })),
    )
    .execute()
}

interface Part {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/**
 * Indexes and triggers of the contacts, as the migrations made them: they come back when the rows are in,
 * which is much faster.
 */
async function partsOf(records: Records): Promise<readonly Part[]> {
  const onSqlite = sql<Part>`select type, name, sql from sqlite_master
    where tbl_name in ('contacts', 'contact_sessions') and type in ('index', 'trigger') and sql is not null`
  const onPostgres = sql<Part>`select 'index' as type, indexname as name, indexdef as sql from pg_indexes
    where tablename in ('contacts', 'contact_sessions') and indexname like 'contact%' and indexname not like '%key'
      and indexname not like '%pk'`
  return (await (recordsKind(records) === 'sqlite' ? onSqlite : onPostgres).execute(records)).rows
}

const run = async (statement: string): Promise<void> => void (await records.executeQuery(CompiledQuery.raw(statement)))

async function insertInChunks(
  table: 'contacts' | 'contact_sessions',
  make: (number: number) => Readonly<Record<string, unknown>>,
): Promise<void> {
  let text: string | undefined
  for (let at = 0; at < count;) {
    await records.transaction().execute(async (tx) => {
      for (let chunk = 0; chunk < CHUNKS && at < count; chunk++) {
        const rows = Array.from({ length: Math.min(CHUNK, count - at) }, (_, index) => make(at + index))
        // Compiling a thousand rows takes longer than inserting them: the text of a full chunk is kept.
        const isWhole = rows.length === CHUNK
        const values = isWhole && text ? [] : rows
        if (values.length > 0) {
          const compiled = tx
            .insertInto(table)
            .values(values as never)
            .compile()
          if (isWhole) text = compiled.sql
          await tx.executeQuery(compiled)
        } else
          await tx.executeQuery(
            CompiledQuery.raw(
              text!,
              rows.flatMap((row) => Object.values(row)),
            ),
          )
        at += rows.length
      }
    })
  }
}

async function fillRecords(): Promise<void> {
  const isFile = recordsKind(records) === 'sqlite'
  if (isFile) await run('pragma cache_size = -400000')
  const parts = await partsOf(records)
  for (const { type, name } of parts) await run(`drop ${type} ${name}`)
  await insertInChunks('contacts', (number) => ({ ...contactRow(number, count, nowMs) }))
  await insertInChunks('contact_sessions', (number) => ({ ...linkRow(number, count, nowMs) }))
  await records.connection().execute(async (connection) => {
    const finish = [
      ...(isFile ? [] : ['set statement_timeout = 0', "set maintenance_work_mem = '1GB'"]),
      ...parts.map((part) => part.sql),
      ...(isFile
        ? ["insert into contacts_search(contacts_search) values ('rebuild')"]
        : ['vacuum analyze contacts', 'vacuum analyze contact_sessions']),
    ]
    for (const statement of finish) await connection.executeQuery(CompiledQuery.raw(statement))
  })
}

async function fillFacts({ facts }: OpenContext): Promise<void> {
  for (let at = 0; at < count; at += VIEWS) {
    const length = Math.min(VIEWS, count - at)
    await facts.appendAll(
      'views',
      Array.from({ length }, (_, index) => viewRow(at + index, count, nowMs)),
    )
  }
}

async function bytesOfRecords(): Promise<number> {
  const onSqlite = sql<{
    bytes: number
  }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  const onPostgres = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  const { rows } = await (recordsKind(records) === 'sqlite' ? onSqlite : onPostgres).execute(records)
  return rows[0]!.bytes
}

const startMs = performance.now()
await addProperty()
await fillRecords()
const recordsMs = performance.now() - startMs
if (process.argv[3] === 'facts') await fillFacts(context)
const bytes = await bytesOfRecords()
process.stdout.write(`${JSON.stringify({ bytes, recordsMs, totalMs: performance.now() - startMs })}\n`)
await context.close()
