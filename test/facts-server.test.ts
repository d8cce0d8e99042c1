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

before(async () => {
  server = await startClickHouse()
  facts = await openFacts({
    dataDir: '/nowhere',
    urls: server.urls,
    cluster: null,
    memoryMb: 768,
    threads: 2,
    fsync: true,
    log: pino({ level: 'silent' }),
  })
  await migrateFacts(facts)
})
after(async () => {
  await facts.close()
  await server.remove()
})

factsContract('on a server', () => facts)

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
    const opening = openFacts({
      dataDir: '/nowhere',
      urls: [url],
      cluster: null,
      memoryMb: 768,
      threads: 2,
      fsync: true,
      log: pino({ level: 'silent' }),
    })
    await assert.rejects(
      opening,
      (error) => error instanceof Error && /CLICKHOUSE_URL/.test(error.message) && !error.message.includes('hunter2'),
    )
  }
})
