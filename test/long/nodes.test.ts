// Three nodes on PostgreSQL, a ClickHouse of two shards and Redis, under mixed traffic while nodes are killed
// and stores go away and come back: nothing acknowledged is lost, nothing is there twice, and no answer is a
// fault.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openChance, seedOfRun } from '../support/chance.ts'
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts'
import { acknowledgedIn, assertKept, openLedger, openSite, sendOn } from '../support/ledger.ts'
import { endLeases, openLedgerRun, readHeld, untilTold } from '../support/ledger-run.ts'
import { rounds } from '../support/long.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { startFakeRedis } from '../support/redis.ts'
import { type Service, startService } from '../support/service.ts'

const ROUNDS = Number(process.env['LONG_ROUNDS'] ?? rounds(4, 40))
const NODES = 3
const SENDERS = 12
const ENOUGH = SENDERS * 2
const AWAY_MS = 2_000

const seed = seedOfRun()
const chance = openChance(seed)
const run = await openLedgerRun('nodes')
// Where it cannot run, startPostgres says so. What it acknowledges has to be on the disk: it is stopped as
// well.
const postgres = await startPostgres({ after }, ['fsync=on'])

interface Stores {
  readonly postgres: Postgres
  readonly clickhouse: ClickHouse
  readonly env: Record<string, string>
  readonly options: Parameters<typeof readHeld>[0]
  readonly redis: { readonly stop: () => Promise<void> }
}

async function openStores(server: Postgres): Promise<Stores> {
  const clickhouse = await startClickHouse({ shards: 2 })
  run.scope.after(() => clickhouse.remove())
  const redis = await startFakeRedis({ after: () => undefined })
  const databaseUrl = await server.freshUrl()
  const env = {
    ...run.env,
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouse.urls.join(),
    CLICKHOUSE_CLUSTER: clickhouse.cluster ?? '',
    REDIS_URL: redis.url,
    SECRET: 'a-secret-of-all-nodes-0123456789abcdef',
  }
  const options = { dataDir: run.folder, databaseUrl, urls: clickhouse.urls, cluster: clickhouse.cluster }
  return { postgres: server, clickhouse, env, options, redis }
}

/** The nodes that are there now; one that is killed comes back on what it had. */
function openNodes(env: Record<string, string>) {
  const alive: (Service | undefined)[] = []
  const start = async (n: number): Promise<void> => {
    const dataDir = join(run.folder, `node${n}`)
    mkdirSync(dataDir, { recursive: true })
    alive[n] = await startService(run.scope, dataDir, env)
  }
  const end = async (n: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const node = alive[n]
    alive[n] = undefined
    await node?.end(signal)
  }
  const any = (): Service => chance.of(alive.filter((node) => node !== undefined))
  return { start, end, any }
}

type Nodes = ReturnType<typeof openNodes>

const blows: Readonly<Record<string, (nodes: Nodes, stores: Stores) => Promise<void>>> = {
  'a node is killed': async ({ start, end }) => {
    const n = chance.below(NODES)
    await end(n, 'SIGKILL')
    await start(n)
  },
  'ClickHouse is killed': async (_nodes, { clickhouse }) => {
    await clickhouse.stop()
    await sleep(chance.below(AWAY_MS))
    await clickhouse.start()
  },
  'PostgreSQL is stopped': async (_nodes, { postgres: server }) => {
    await server.stop()
    await sleep(chance.below(AWAY_MS))
    await server.start()
  },
  'a node is stopped': async ({ start, end }) => {
    const n = chance.below(NODES)
    await end(n, 'SIGTERM')
    await start(n)
  },
}

async function strike(nodes: Nodes, stores: Stores, round: number): Promise<void> {
  const names = Object.keys(blows)
  const name = names[round % names.length] ?? ''
  await blows[name]?.(nodes, stores)
  // For good, half-way: from then on each node counts alone.
  if (round === Math.floor(ROUNDS / 2)) await stores.redis.stop()
}

if (postgres)
  test(`three nodes, ${ROUNDS} blows: nothing acknowledged is lost, nothing is there twice`, async () => {
    const stores = await openStores(postgres)
    const nodes = openNodes(stores.env)
    for (let n = 0; n < NODES; n++) await nodes.start(n)
    const ledger = openLedger()
    const site = await openSite(nodes.any(), run.hookUrl)
    await sleep(AWAY_MS) // the others know of it within two seconds
    let isOver = false
    const senders = Array.from({ length: SENDERS }, (_, n) => {
      const sender = { site, ledger, name: `v${n}`, address: `198.18.0.${n}`, first: n, node: nodes.any }
      return sendOn(sender, async () => {
        await sleep(20)
        return !isOver
      })
    })
    const more = async () => {
      const before = acknowledgedIn(ledger)
      while (acknowledgedIn(ledger) < before + ENOUGH) await sleep(20)
    }
    for (let round = 0; round < ROUNDS; round++) {
      await more()
      await strike(nodes, stores, round)
    }
    await more()
    isOver = true
    await Promise.all(senders)
    for (let n = 0; n < NODES; n++) await nodes.end(n, 'SIGTERM')
    await endLeases(stores.options)
    await nodes.start(0)
    await untilTold(run.endpoint, ledger)
    await nodes.end(0, 'SIGTERM')
    console.log(`nodes: ${ROUNDS} blows, LONG_SEED=${seed}, ${run.endpoint.received.length} calls of the endpoint`)
    assertKept('nodes', ledger, await readHeld(stores.options, run.endpoint))
    assert.ok(acknowledgedIn(ledger) >= ROUNDS * ENOUGH)
  })
