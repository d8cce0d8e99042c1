// Shards with several replicas (docs/decisions/0083-replicas.md). The ClickHouse of these tests can create
// replicated tables, but no replica of it can fetch anything from another one. So the tables are created with
// a real ZooKeeper; and who is asked and written to is tested on nodes that are told to be replicas and never
// hear of each other, which is how a replica looks that lags behind.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { type Facts, openFacts } from '../server/stores/facts.ts'
import {
  listFactMigrations,
  migrateFacts,
  statementsOf,
  type FactMigration,
} from '../server/stores/migrations/facts.ts'
import { tell } from './support/cli.ts'
import { type ClickHouse, type ClickHouseOptions, startClickHouse } from './support/clickhouse.ts'
import { ownWaits } from './support/patience.ts'
import { newDataDir } from './support/records.ts'
import { untilEqual } from './support/until.ts'
import { hasZooKeeper, startZooKeeper } from './support/zookeeper.ts'

const DAY = '2026-03-04'
const VIEWS = 12

async function startCluster(t: TestContext, options: ClickHouseOptions): Promise<ClickHouse> {
  const cluster = await startClickHouse(options)
  t.after(() => cluster.remove())
  return cluster
}

async function open(t: TestContext, { urls, cluster }: ClickHouse, isReplicated?: boolean): Promise<Facts> {
  const common = { memoryMb: 768, threads: 2, fsync: true, ...ownWaits, log: pino({ level: 'silent' }) }
  const facts = await openFacts({ ...common, dataDir: newDataDir(t), urls, cluster, isReplicated })
  t.after(() => facts.close())
  return facts
}

/** One row after the other, each through another node. */
async function append(facts: Facts, property: string): Promise<void> {
  for (let view = 0; view < VIEWS; view++)
    await facts.append('views', { property, day: DAY, session: String(view), view, at: 1, seen: 1 })
}

async function countSessions(facts: Facts, property: string): Promise<number> {
  const sql = 'SELECT toUInt32(count()) AS sessions FROM sessions FINAL WHERE property = {property:String}'
  const [row] = await facts.query<{ sessions: number }>('test', sql, { property })
  return row!.sessions
}

/** Sessions as each node has them. */
async function storedOn(facts: Facts): Promise<Record<string, string>> {
  const sql = `SELECT toString(tcpPort()) AS port, count() AS rows FROM clusterAllReplicas('footfall', currentDatabase(), 'sessions_local') GROUP BY port`
  const rows = await facts.query<{ port: string; rows: string }>('test', sql)
  return Object.fromEntries(rows.map(({ port, rows: count }) => [port, count]))
}

test('one replica of each shard takes all rows and questions, and another one when it is away', async (t) => {
  const cluster = await startCluster(t, { replicas: 2 })
  await migrateFacts(await open(t, cluster, false))
  const facts = await open(t, cluster, true)
  const [first, second] = cluster.nodes
  await append(facts, 'both')
  assert.equal(Object.keys(await storedOn(facts)).length, 1, 'the rows of a shard are not spread over its replicas')
  // Each question is asked of the other node, and finds all that was acknowledged.
  for (let node = 0; node < 4; node++) assert.equal(await countSessions(facts, 'both'), VIEWS)
  const insert = "INSERT INTO marks_local (property, session, mark) SELECT 'once', 1, 1"
  await facts.command('test', insert, 'shard')
  const marks = "SELECT count() AS n FROM clusterAllReplicas('footfall', currentDatabase(), 'marks_local')"
  assert.deepEqual(await facts.query('test', marks), [{ n: '1' }])

  await second!.stop()
  assert.equal(await facts.ping(), true, 'a replica that is away makes nobody unready')
  await append(facts, 'first')
  assert.equal(await countSessions(facts, 'first'), VIEWS)
  await facts.command('test', insert, 'shard')
  const started = await open(t, cluster, true)
  await migrateFacts(started)
  assert.equal(await countSessions(started, 'first'), VIEWS)

  await second!.start()
  await first!.stop()
  assert.equal(await facts.ping(), true)
  await append(facts, 'second')
  assert.equal(await countSessions(facts, 'second'), VIEWS)
  await second!.stop()
  assert.equal(await facts.ping(), false)
})

/** All as one, so that tables have their columns from the beginning: a read-only replica takes no others. */
function asOne(migrations: readonly FactMigration[]): FactMigration {
  const tables = Object.assign({}, ...migrations.map((migration) => migration.tables)) as FactMigration['tables']
  const views = Object.assign({}, ...migrations.map((migration) => migration.views)) as FactMigration['views']
  const added = (name: string) => migrations.flatMap(({ columns }) => columns?.[name] ?? [])
  const withAll = Object.entries(tables).map(
    ([name, table]) => [name, { ...table, columns: [table.columns, ...added(name)].join(',\n') }] as const,
  )
  return { name: 'all', tables: Object.fromEntries(withAll), views }
}

if (hasZooKeeper())
  test('with macros and a keeper every table of facts is created on each node as a replica', async (t) => {
    const zookeeper = await startZooKeeper()
    t.after(() => zookeeper.remove())
    const cluster = await startCluster(t, { replicas: 2, keeper: zookeeper.port })
    // This ClickHouse has no table of its keeper: its session tells of it, once it is a second old.
    let tables = 0
    const known = () =>
      `CREATE TABLE known_${++tables} (n UInt8) ENGINE = ReplicatedMergeTree('/known/${tables}/{replica}', '{replica}') ORDER BY n`
    for (const url of cluster.urls) {
      const { origin } = new URL(url)
      const ask = (body: string) => fetch(origin, { method: 'POST', body })
      // On a busy machine ZooKeeper may not answer the first statements in time.
      await untilEqual(async () => (await ask(known())).status, 200, 'the node has reached ZooKeeper')
      const isKept = async () => (await (await ask('SELECT zookeeperSessionUptime() > 0')).text()).trim()
      await untilEqual(isKept, '1', 'the node has a session with ZooKeeper')
    }
    const facts = await open(t, cluster)
    assert.equal(facts.layout.isReplicated, true)
    const statements = statementsOf(asOne(await listFactMigrations()), facts.layout)
    for (const sql of [...statements, ...statements]) await facts.command('test', sql)
    const rows = await facts.query<{ name: string; engine: string; nodes: string; replicas: string }>(
      'test',
      `SELECT name, any(engine) AS engine, toString(count()) AS nodes, any(replicas) AS replicas
FROM clusterAllReplicas('footfall', system.tables) AS tables
LEFT JOIN (
  SELECT table, toString(min(total_replicas)) AS replicas FROM clusterAllReplicas('footfall', system.replicas) GROUP BY table
) AS own ON own.table = tables.name
WHERE database = currentDatabase() AND endsWith(name, '_local') GROUP BY name`,
    )
    assert.ok(rows.length > 12)
    for (const { name, engine, nodes, replicas } of rows) {
      const isOfNode = name.startsWith('settled')
      assert.deepEqual(
        [name, engine.startsWith('Replicated'), nodes, replicas],
        [name, !isOfNode, '2', isOfNode ? '' : '2'],
      )
    }
    // Nothing can be fetched here, so they stay read-only: who looks is told.
    const env = {
      DATA_DIR: newDataDir(t),
      PORT: '0',
      CLICKHOUSE_URL: cluster.urls.join(','),
      CLICKHOUSE_CLUSTER: 'footfall',
    }
    const checks = JSON.parse((await tell(['doctor', '--json'], env)).out).checks as { name: string; says: string }[]
    assert.match(checks.find(({ name }) => name === 'facts')!.says, /^\d+ tables are read-only on \S+:\d+: check its/)
    // A start after it finds them as they are.
    assert.equal((await open(t, cluster)).layout.isReplicated, true)
  })
