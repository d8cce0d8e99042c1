// Writes the bench's short links straight into the records: `node bench/links-fill.ts COUNT`. Started by
// links.ts when no server has the stores open; prints one line of JSON.
import { CompiledQuery, sql } from 'kysely'
import { readConfig } from '../server/config.ts'
import { migrateRecords } from '../server/stores/migrations/records.ts'
import { openRecords, recordsKind } from '../server/stores/records.ts'
import { groupIdOf, GROUPS, linkRow, PROPERTY_ID } from './links-rows.ts'

/** Twelve values each: half of what either database takes in one statement. */
const CHUNK = 1_000
/** Chunks of one transaction. */
const CHUNKS = 20

const config = readConfig()
const count = Number(process.argv[2])
const records = await openRecords(config)
const startMs = performance.now()

async function addOwners(): Promise<void> {
  const property = { id: PROPERTY_ID, key: 'ff_BenchOfLinks00000000', name: 'Bench', domains: '["bench.example"]' }
  await records
    .insertInto('properties')
    .values({ ...property, default_period: null, plan: 'paid', proxy_key_hash: null, created_ts: 1 })
    .execute()
  const groups = Array.from({ length: GROUPS }, (_, number) => ({
    id: groupIdOf(number),
    property_id: PROPERTY_ID,
    name: `Group ${number}`,
    description: null,
    purpose: 'campaign',
    state: 'active' as const,
    track_clicks: 1,
    created_ts: 1,
    change_no: 1,
  }))
  await records.insertInto('link_groups').values(groups).execute()
  await records.insertInto('counters').values({ name: 'links', value: count }).execute()
}

/** Compiling a thousand rows takes longer than inserting them: the text of a full chunk is kept. */
let text: string | undefined

async function addLinks(): Promise<void> {
  for (let at = 0; at < count;) {
    await records.transaction().execute(async (tx) => {
      for (let chunk = 0; chunk < CHUNKS && at < count; chunk++) {
        const rows = Array.from({ length: Math.min(CHUNK, count - at) }, (_, index) => linkRow(at + index))
        at += rows.length
        if (rows.length === CHUNK && text !== undefined) {
          const values = rows.flatMap((row) => Object.values(row))
          await tx.executeQuery(CompiledQuery.raw(text, values))
          continue
        }
        const compiled = tx.insertInto('links').values(rows).compile()
        if (rows.length === CHUNK) text = compiled.sql
        await tx.executeQuery(compiled)
      }
    })
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

await migrateRecords(records)
await addOwners()
await addLinks()
const bytes = await bytesOfRecords()
process.stdout.write(`${JSON.stringify({ bytes, fillMs: performance.now() - startMs })}\n`)
await records.destroy()
