// The facts store on two ClickHouse nodes, each with half of the sessions.
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
import { factsContract } from './support/facts-contract.ts'
import { ownWaits } from './support/patience.ts'
import { sharedMarksContract } from './support/facts-contract-marks.ts'

let cluster: ClickHouse
let facts: Facts
/** Of the logs: each store has its own. */
const folder = mkdtempSync(join(tmpdir(), 'footfall-facts-'))

const open = () =>
  openFacts({
    dataDir: mkdtempSync(join(folder, 'data-')),
    urls: cluster.urls,
    cluster: cluster.cluster,
    memoryMb: 768,
    threads: 2,
    fsync: true,
    ...ownWaits,
    log: pino({ level: 'silent' }),
  })

before(async () => {
  cluster = await startClickHouse({ shards: 2 })
  facts = await open()
  await migrateFacts(facts)
})
after(async () => {
  await facts.close()
  await cluster.remove()
  rmSync(folder, { recursive: true, force: true })
})

factsContract('on a cluster', () => facts)
sharedMarksContract('on a cluster', open)

test('a session lives on one node, sessions on both, and every node answers for all', async () => {
  const property = 'spread'
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      facts.append('views', { property, day: '2026-03-04', session: String(i >> 1), view: i, at: 1, seen: 1 }),
    ),
  )
  const sql =
    'SELECT session, uniqExact(_shard_num) AS shards, any(_shard_num) AS shard FROM views WHERE property = {property:String} GROUP BY session'
  for (let node = 0; node < 2; node++) {
    const rows = await facts.query<{ shards: string; shard: number }>('test', sql, { property })
    assert.equal(rows.length, 25)
    assert.deepEqual([...new Set(rows.map((row) => row.shards))], ['1'])
    assert.deepEqual(new Set(rows.map((row) => row.shard)), new Set([1, 2]))
  }
})

test('merges keep the version of the facts, and rows that are rewritten change it', async () => {
  const row = { day: '2026-03-04', view: 1, at: 1, seen: 1 }
  await facts.append('views', { ...row, property: 'stays', session: '5' })
  await facts.append('views', { ...row, property: 'goes', session: '5' })
  const merge = "OPTIMIZE TABLE views_local PARTITION '2026-03-02' FINAL"
  const before = await facts.version('stays')
  await facts.command('test', merge)
  assert.equal(await facts.version('stays'), before)
  const rewrite = "ALTER TABLE views_local DELETE IN PARTITION '2026-03-02' WHERE property = 'goes'"
  await facts.command('test', `${rewrite} SETTINGS mutations_sync = 1`)
  const rewritten = await facts.version('stays')
  assert.notEqual(rewritten, before)
  await facts.command('test', merge)
  assert.equal(await facts.version('stays'), rewritten)
})

test('two servers of ours on one cluster see the rows of each other at once', async () => {
  const other = await open()
  await migrateFacts(other)
  await other.append('views', { property: 'shared', day: '2026-03-04', session: '3', view: 1, at: 1, seen: 1 })
  await other.append('views', { property: 'shared', day: '2026-03-04', session: '4', view: 1, at: 1, seen: 1 })
  const rows = await facts.query(
    'test',
    "SELECT session FROM sessions FINAL WHERE property = 'shared' ORDER BY session",
  )
  assert.deepEqual(rows, [{ session: '3' }, { session: '4' }])
  await other.close()
})

test('with its nodes away the store says so, and what was stored is there when they are back', async () => {
  await facts.append('views', { property: 'kept', day: '2026-03-04', session: '3', view: 1, at: 1, seen: 1 })
  await cluster.stop()
  await assert.rejects(
    facts.query('test', 'SELECT 1'),
    (error) => error instanceof Problem && error.kind === 'unavailable',
  )
  await cluster.start()
  assert.deepEqual(await facts.query('test', "SELECT count() AS n FROM views WHERE property = 'kept'"), [{ n: '1' }])
})
