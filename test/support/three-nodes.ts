// Three nodes on PostgreSQL, a ClickHouse of two shards and Redis, each of which can be killed, stopped or
// hung and comes back, and visitors who go on all the while.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import type { ClickHouse } from './clickhouse.ts'
import { startMigratedCluster } from './cluster.ts'
import { acknowledgedIn, type Kind, type Ledger, type LedgerSite, openLedger, openSite, sendOn } from './ledger.ts'
import { endLeases, type LedgerRun, readHeld, type StoreOptions, untilTold } from './ledger-run.ts'
import { rounds } from './long.ts'
import { takePort } from './ports.ts'
import type { Postgres } from './postgres.ts'
import { type FakeRedis, startFakeRedis } from './redis.ts'
import { callService, type Service, startService } from './service.ts'

const NODES = 3
/** What a node knows of a new property, link or form of another one is two seconds old at most. */
const KNOWN_MS = 2_000

export interface Stores {
  readonly postgres: Postgres
  readonly clickhouse: ClickHouse
  readonly redis: FakeRedis
  readonly env: Record<string, string>
  readonly options: StoreOptions
}

async function openStores(run: LedgerRun, postgres: Postgres): Promise<Stores> {
  const clickhouse = await startMigratedCluster()
  run.scope.after(() => clickhouse.remove())
  const redis = await startFakeRedis({ after: (close) => run.scope.after(close as () => Promise<void>) })
  const databaseUrl = await postgres.freshUrl()
  const env = {
    ...run.env,
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouse.urls.join(),
    CLICKHOUSE_CLUSTER: clickhouse.cluster ?? '',
    REDIS_URL: redis.url,
    SECRET: 'a-secret-of-all-nodes-0123456789abcdef',
    STOP_NOTICE_SECONDS: '3',
  }
  const options = { dataDir: run.folder, databaseUrl, urls: clickhouse.urls, cluster: clickhouse.cluster }
  return { postgres, clickhouse, redis, env, options }
}

export interface Nodes {
  /** Where they are, also while they are not. */
  readonly urls: readonly string[]
  /** One that was killed comes back on what it had. */
  start(n: number): Promise<void>
  end(n: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** One of those that are there now. */
  readonly any: () => Service
}

async function openNodes(run: LedgerRun, env: Record<string, string>, chance: Chance): Promise<Nodes> {
  const alive: (Service | undefined)[] = []
  const ports = await Promise.all(Array.from({ length: NODES }, takePort))
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    async start(n) {
      const dataDir = join(run.folder, `node${n}`)
      mkdirSync(dataDir, { recursive: true })
      alive[n] = await startService(run.scope, dataDir, { ...env, PORT: String(ports[n]) })
    },
    async end(n, signal) {
      const node = alive[n]
      // A proxy goes on with one that says what it is about.
      if (signal === 'SIGKILL') alive[n] = undefined
      await node?.end(signal)
      alive[n] = undefined
    },
    any: () => chance.of(alive.filter((node) => node !== undefined)),
  }
}

export interface Scene extends Stores {
  readonly nodes: Nodes
  readonly chance: Chance
  readonly ledger: Ledger
  readonly site: LedgerSite
}

/** Everything is there, and every node knows of the site. @param env other settings of the nodes. */
export async function openScene(
  run: LedgerRun,
  postgres: Postgres,
  chance: Chance,
  env: Record<string, string> = {},
): Promise<Scene> {
  const stores = await openStores(run, postgres)
  const nodes = await openNodes(run, { ...stores.env, ...env }, chance)
  await Promise.all(Array.from({ length: NODES }, (_, n) => nodes.start(n)))
  const site = await openSite(nodes.any(), run.hookUrl)
  await sleep(KNOWN_MS)
  return { ...stores, nodes, chance, ledger: openLedger(), site }
}

/** Also a store is gone for so long in the short run, at most. */
const AWAY_MS = rounds(500, 2_000)

async function whileAway(chance: Chance, strike: () => unknown, mend: () => unknown): Promise<void> {
  await strike()
  await sleep(chance.below(AWAY_MS))
  await mend()
}

const restart =
  (signal: 'SIGKILL' | 'SIGTERM') =>
  async ({ nodes, chance }: Scene): Promise<void> => {
    const n = chance.below(NODES)
    await nodes.end(n, signal)
    await nodes.start(n)
  }

export const blows: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'a node is killed': restart('SIGKILL'),
  'all of ClickHouse is killed': ({ chance, clickhouse }) =>
    whileAway(
      chance,
      () => clickhouse.stop(),
      () => clickhouse.start(),
    ),
  'PostgreSQL is stopped': ({ chance, postgres }) =>
    whileAway(
      chance,
      () => postgres.stop(),
      () => postgres.start(),
    ),
  'a node is stopped': restart('SIGTERM'),
  'one node of ClickHouse is killed': ({ chance, clickhouse }) => {
    const node = chance.of(clickhouse.nodes)
    return whileAway(
      chance,
      () => node.stop(),
      () => node.start(),
    )
  },
  'Redis is away': ({ chance, redis }) => whileAway(chance, redis.stop, redis.start),
  'one node of ClickHouse hangs': ({ chance, clickhouse }) => {
    const node = chance.of(clickhouse.nodes)
    return whileAway(
      chance,
      () => node.pause(),
      () => node.resume(),
    )
  },
}

async function untilMore({ ledger }: Scene, enough: number): Promise<void> {
  const before = acknowledgedIn(ledger)
  while (acknowledgedIn(ledger) < before + enough) await sleep(20)
}

/** One after the other, with some that is acknowledged before, between and after. */
export async function goThrough(scene: Scene, names: readonly string[], enough: number): Promise<void> {
  for (const name of names) {
    await untilMore(scene, enough)
    await blows[name]!(scene)
  }
  await untilMore(scene, enough)
}

/** A rolling restart, so many times. */
export async function restartEach(scene: Scene, times: number, enough: number): Promise<void> {
  for (let turn = 0; turn < times * NODES; turn++) {
    await untilMore(scene, enough)
    await scene.nodes.end(turn % NODES, 'SIGTERM')
    await scene.nodes.start(turn % NODES)
  }
  await untilMore(scene, enough)
}

interface Senders {
  readonly count: number
  /** The number of the first one. */
  readonly from: number
  readonly pauseMs: number
  /** Where each call goes. */
  readonly node: () => Service
}

/** Visitors who send one thing after the other until the work has ended. */
export async function whileSending(
  { site, ledger }: Scene,
  { count, from, pauseMs, node }: Senders,
  work: () => Promise<unknown>,
): Promise<void> {
  let isOver = false
  const sending = Array.from({ length: count }, (_, n) => {
    const who = from + n
    const sender = { site, ledger, name: `v${who}`, address: `198.18.0.${who}`, first: n, node }
    return sendOn(sender, async () => {
      await sleep(pauseMs)
      return !isOver
    })
  })
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(sending)
  }
}

/** Sessions and views as a node counts them, once it has inserted what waited while ClickHouse was away. */
async function figuresOf(
  service: Service,
  { property }: LedgerSite,
  period: string,
): Promise<{ sessions: number; views: number }> {
  const path = '/v2/property/signals/analytics/metrics'
  for (;;) {
    const { status, json, text } = await callService(service, property, 'POST', path, { period })
    if (status === 200) {
      const { sessions, views } = json.analytics.period_metrics.summary
      return { sessions: sessions.current, views: views.current }
    }
    assert.equal(status, 503, text)
    await sleep(100)
  }
}

/**
 * What each node counts, then, with all of them stopped and the endpoint told of what was left, what is
 * stored.
 */
export async function readAtTheEnd(run: LedgerRun, scene: Scene): Promise<Record<Kind, string[]>> {
  const { nodes, options, ledger, site } = scene
  const figuresOfAll = (period: string) =>
    Promise.all(nodes.urls.map((url) => figuresOf({ ...nodes.any(), url }, site, period)))
  // A node that answers says nothing of what waits in others, and keeps its answer for a moment.
  await figuresOfAll('last_28')
  const figures = await figuresOfAll('last_7')
  await Promise.all(nodes.urls.map((_url, n) => nodes.end(n, 'SIGTERM')))
  await endLeases(options)
  await nodes.start(0)
  await untilTold(run.endpoint, ledger)
  await nodes.end(0, 'SIGTERM')
  const held = await readHeld(options, run.endpoint)
  const visitors = new Set(held.views.map((name) => name.split('n')[0]))
  for (const figure of figures) assert.deepEqual(figure, { sessions: visitors.size, views: held.views.length })
  return held
}
