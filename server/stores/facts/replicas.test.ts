// What the nodes of a cluster say of themselves decides how their tables are made
// (docs/decisions/0083-replicas.md).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFactMigrations, statementsOf } from '../migrations/facts.ts'
import { findReplication, type NodeSays } from './replicas.ts'

const able: NodeSays = {
  url: 'http://one',
  has_macros: 1,
  has_keeper: 1,
  engine: '',
  nodes: 2,
  replicas: 2,
  tells_others: 1,
}
const plain: NodeSays = { ...able, url: 'http://two', has_keeper: 0, replicas: 1, tells_others: 0 }

test('tables are replicated where all nodes have macros and a keeper, and stay what they are once they are there', () => {
  const [merged, replicated] = [{ engine: 'AggregatingMergeTree' }, { engine: 'ReplicatedAggregatingMergeTree' }]
  const shards = { replicas: 1, tells_others: 0 }
  assert.equal(findReplication([able, able], 2), true)
  assert.equal(findReplication([{ ...able, ...shards }], 2), true, 'a shard of one node may get another one later')
  assert.equal(findReplication([plain, plain], 2), false)
  assert.equal(findReplication([{ ...plain, has_macros: 0, has_keeper: 1 }], 2), false)
  assert.equal(findReplication([{ ...able, ...shards, ...merged }], 2), false, 'there before the keeper')
  assert.equal(findReplication([{ ...able, ...replicated }], 2), true, 'the other one is away')
  assert.equal(findReplication([{ ...able, ...replicated }, able], 2), true, 'a start that was cut short')
})

test('nodes that cannot work together are refused with a sentence', () => {
  assert.throws(() => findReplication([able, plain], 2), /macros shard and replica and a keeper; http:\/\/two does not/)
  assert.throws(() => findReplication([able, able], 1), /names 1 nodes, and the cluster has 2/)
  assert.throws(() => findReplication([{ ...able, tells_others: 0 }, able], 2), /set internal_replication to true/)
  const alone = { ...plain, replicas: 2, tells_others: 1 }
  assert.throws(() => findReplication([alone, alone], 2), /several replicas .* but no macros and keeper/)
  const mixed = [
    { ...able, engine: 'AggregatingMergeTree' },
    { ...able, engine: 'ReplicatedAggregatingMergeTree' },
  ]
  assert.throws(() => findReplication(mixed, 2), /replicated on some ClickHouse nodes and not on others/)
})

test('facts are replicated; copies of days and the ledgers of each node are not', async () => {
  const layout = { cluster: 'footfall', database: 'facts', fsync: true, isReplicated: true }
  const statements = (await listFactMigrations()).flatMap((migration) => statementsOf(migration, layout))
  const engines = statements.flatMap((sql) => {
    const [, name, engine] = /^CREATE TABLE IF NOT EXISTS (\w+_local) .*ENGINE = (.*) PARTITION BY/s.exec(sql) ?? []
    return name === undefined ? [] : [[name, engine] as const]
  })
  assert.ok(engines.length > 12)
  for (const [name, engine = ''] of engines) {
    assert.equal(engine.startsWith('Replicated'), !name.startsWith('settled'), name)
    if (engine.startsWith('Replicated'))
      assert.match(
        engine,
        new RegExp(`^Replicated\\w+MergeTree\\('/clickhouse/footfall/footfall/{shard}/facts/${name}', '{replica}'`),
      )
  }
  assert.equal(
    engines.find(([name]) => name === 'events_local')?.[1],
    "ReplicatedReplacingMergeTree('/clickhouse/footfall/footfall/{shard}/facts/events_local', '{replica}', earliness)",
  )
})
