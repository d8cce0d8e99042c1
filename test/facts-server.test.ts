// The facts store on a ClickHouse server of the owner. The embedded engine is a ClickHouse server too, asked
// over the same client: what every store promises is held there (facts.test.ts) and on a cluster
// (facts-cluster.test.ts). Here is what differs: a server with settings of its own, which others write to and
// which may be away.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { Problem } from '../server/kernel/problem.ts'
import { openFacts, type Facts } from '../server/stores/facts.ts'
import { migrateFacts } from '../server/stores/migrations/facts.ts'
import { startClickHouse, type ClickHouse } from './support/clickhouse.ts'
import { ownWaits } from './support/patience.ts'
import { sharedMarksContract } from './support/facts-contract-marks.ts'
import { questionContract } from './support/facts-contract-questions.ts'

let server: ClickHouse
let facts: Facts
/** Of the logs: each store has its own. */
const folder = mkdtempSync(join(tmpdir(), 'footfall-facts-'))

const open = () =>
  openFacts({
    dataDir: mkdtempSync(join(folder, 'data-')),
    urls: server.urls,
    cluster: null,
    memoryMb: 768,
    threads: 2,
    fsync: true,
    ...ownWaits,
    log: pino({ level: 'silent' }),
  })

before(async () => {
  server = await startClickHouse()
  facts = await open()
  await migrateFacts(facts)
})
after(async () => {
  await facts.close()
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
})

questionContract('on a server', () => facts)
sharedMarksContract('on a server', open)

test('rows appended while the server is away are acknowledged from the log, and asked for once it has them', async (t) => {
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
  await Promise.all(acknowledged)
  assert.equal(facts.stats().entries > 0, true)
  await assert.rejects(
    facts.query('test', 'SELECT count() FROM views'),
    (error) => error instanceof Problem && error.kind === 'unavailable',
  )
  await server.start()
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
  const { waitingRows, entries } = facts.stats()
  assert.deepEqual({ waitingRows, entries }, { waitingRows: 0, entries: 0 })
})

test('a copy of a day does not count for a table that was put back, although its parts have the same numbers', async () => {
  await facts.command('test', 'CREATE DATABASE put_back')
  const urls = server.urls.map((url) => Object.assign(new URL(url), { pathname: '/put_back' }).href)
  const options = {
    dataDir: mkdtempSync(join(folder, 'data-')),
    urls,
    cluster: null,
    memoryMb: 768,
    threads: 2,
    fsync: true,
    ...ownWaits,
  }
  const other = await openFacts({ ...options, log: pino({ level: 'silent' }) })
  try {
    await migrateFacts(other)
    const week = '1998-03-02'
    const days = [2, 3, 4, 5, 6, 7, 8].map((day) => `1998-03-0${day}`)
    await other.append('views', { property: 'p', day: week, session: '1', view: 1, at: 1, seen: 1 })
    assert.deepEqual(await other.settle(Date.parse('1998-04-01'), false), days)
    assert.deepEqual([...(await other.settledDays()).keys()], days)
    const numbers = () =>
      other.query(
        'test',
        "SELECT min_block_number, max_block_number FROM system.parts WHERE active AND database = 'put_back' AND table = 'sessions'",
      )
    const before = await numbers()
    await other.command('test', 'CREATE TABLE restored AS sessions')
    await other.command('test', 'INSERT INTO restored SELECT * REPLACE (2 AS session) FROM sessions')
    await other.command('test', 'EXCHANGE TABLES sessions AND restored')
    assert.deepEqual(await numbers(), before)
    assert.deepEqual([...(await other.settledDays()).keys()], [])
    assert.deepEqual(await other.settle(Date.parse('1998-04-01'), false), days)
    assert.deepEqual(
      await other.query('test', 'SELECT session FROM settled WHERE copy IN (SELECT copy FROM settled_days FINAL)'),
      [{ session: '2' }],
    )
  } finally {
    await other.close()
  }
})

test('an address that cannot be used is refused without showing its password', async () => {
  for (const url of ['http//user:hunter2@host', 'http://user:hunter2@127.0.0.1:1/a;b']) {
    const opening = openFacts({
      dataDir: mkdtempSync(join(folder, 'data-')),
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
