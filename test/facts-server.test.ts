// The facts store on a ClickHouse server over HTTP.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { Problem } from '../server/kernel/problem.ts'
import { openFacts, type Facts } from '../server/stores/facts.ts'
import { migrateFacts } from '../server/stores/migrations/facts.ts'
import { startClickHouse, type ClickHouse } from './support/clickhouse.ts'
import { factsContract } from './support/facts-contract.ts'

let server: ClickHouse
let facts: Facts

const open = (urls: readonly string[]) =>
  openFacts({
    dataDir: '/nowhere',
    urls,
    cluster: null,
    memoryMb: 768,
    threads: 2,
    fsync: true,
    log: pino({ level: 'silent' }),
  })

before(async () => {
  server = await startClickHouse()
  facts = await open(server.urls)
  await migrateFacts(facts)
})
after(async () => {
  await facts.close()
  await server.remove()
})

factsContract('on a server', () => facts)

test('a store that took the migrations one by one has the tables of one that was made today', async () => {
  const tables = async (store: Facts) => {
    const rows = await store.query<{ text: string }>(
      'test',
      "SELECT replaceAll(create_table_query, currentDatabase() || '.', '') AS text FROM system.tables WHERE database = currentDatabase() AND name != 'cut_short' ORDER BY name",
    )
    return rows.map(({ text }) => text)
  }
  await facts.command('test', 'CREATE DATABASE older')
  const older = await open(server.urls.map((url) => url.replace(/footfall$/, 'older')))
  await older.command('test', 'CREATE TABLE cut_short (n UInt8) ENGINE = Memory')
  await migrateFacts(older)
  assert.deepEqual(await tables(older), await tables(facts))
  await older.close()
})

test('rows appended while the server is away are acknowledged once it has them', async (t) => {
  const property = 'away'
  const printed = (['error', 'warn'] as const).map((level) => t.mock.method(console, level))
  await server.stop()
  assert.equal(await facts.ping(), false)
  await assert.rejects(
    facts.query('test', 'SELECT 1'),
    (error) => error instanceof Problem && error.kind === 'unavailable',
  )
  const acknowledged = Array.from({ length: 20 }, (_, view) =>
    facts.append('views', { property, day: '2026-03-04', session: '1', view, at: 1, seen: 1 }),
  )
  await server.start()
  await Promise.all(acknowledged)
  assert.deepEqual(
    printed.flatMap(({ mock }) => mock.calls),
    [],
    'the client has no log of its own',
  )
  assert.deepEqual(
    await facts.query('test', 'SELECT count() AS views FROM views WHERE property = {property:String}', { property }),
    [{ views: '20' }],
  )
  assert.ok(facts.stats().failedInserts > 0)
  assert.equal(facts.stats().waitingRows, 0)
})

test('an address that cannot be used is refused without showing its password', async () => {
  for (const url of ['http//user:hunter2@host', 'http://user:hunter2@127.0.0.1:1/a;b']) {
    await assert.rejects(
      open([url]),
      (error) => error instanceof Error && /CLICKHOUSE_URL/.test(error.message) && !error.message.includes('hunter2'),
    )
  }
})
