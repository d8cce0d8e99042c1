// What a page view costs ClickHouse, of two shards, with one node of Footfall before it and with three: both
// setups stand side by side and are asked in turn, at the same rates and as quickly as the connections allow.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClickHouse, startClickHouse } from '../test/support/clickhouse.ts'
import { type Postgres, startPostgres } from '../test/support/postgres.ts'
import { settingsFor } from './homes.ts'
import { type Service, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'
import { fire, loadOf, makeProperty, visitors } from './writing.ts'

const CONNECTIONS = 63
const SECONDS = 8
const ROUNDS = 3
/** Nodes count each other every ten seconds, and know of a new property after two. */
const KNOWN_MS = 12_000
/** What is inserted behind the last answer. */
const BEHIND_MS = 2_000
/** Page views a second; the last as quickly as the connections allow. */
const rates = [200, 400, undefined] as const

const ADMIN_TOKEN = 'an-administrator-token-of-the-bench'

interface Setup {
  readonly name: string
  readonly nodes: readonly Service[]
  readonly clickhouse: ClickHouse
  readonly key: string
}

type After = (end: () => Promise<void>) => void

interface Place {
  readonly dataDir: string
  readonly postgres: Postgres
  readonly after: After
}

async function openSetup({ dataDir, postgres, after }: Place, count: number, acknowledge: string): Promise<Setup> {
  const clickhouse = await startClickHouse({ shards: 2 })
  after(() => clickhouse.remove())
  const shared = {
    DATABASE_URL: await postgres.freshUrl(),
    CLICKHOUSE_URL: clickhouse.urls.join(),
    CLICKHOUSE_CLUSTER: clickhouse.cluster ?? '',
    FACTS_ACKNOWLEDGE: acknowledge,
    SECRET: 'a-secret-of-all-nodes-0123456789abcdef',
    ADMIN_TOKEN,
  }
  const nodes: Service[] = []
  for (let n = 0; n < count; n++) {
    const folder = join(dataDir, `${count}-${n}`)
    mkdirSync(folder, { recursive: true })
    const node = await startFootfall({ ...settingsFor(folder), ...shared })
    after(() => node.stop())
    nodes.push(node)
  }
  return {
    name: count === 1 ? 'one node' : `${count} nodes`,
    nodes,
    clickhouse,
    key: await makeProperty(nodes[0]!.url, ADMIN_TOKEN),
  }
}

interface Measured {
  readonly perSecond: number
  readonly views: number
  /** Of both shards, for one page view. */
  readonly cpuMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refused: number
}

/** One page view after the other, as they come from visitors: also while others wait. */
async function sendEvenly({ nodes, key }: Setup, rate: number): Promise<Omit<Measured, 'cpuMs'>> {
  const [times, answers]: [number[], Promise<void>[]] = [[], []]
  const begunMs = performance.now()
  let refused = 0
  const send = async (n: number): Promise<void> => {
    const { path, headers } = loadOf(key, visitors[n % visitors.length]!)
    const sentMs = performance.now()
    const answer = await fetch(nodes[n % nodes.length]!.url + path!, { headers: headers! })
    if (!((await answer.json()) as { success: boolean }).success) refused++
    times.push(performance.now() - sentMs)
  }
  for (let n = 0; n < rate * SECONDS; n++) {
    await sleep(Math.max(0, begunMs + (n * 1000) / rate - performance.now()))
    answers.push(send(n))
  }
  await Promise.all(answers)
  const sorted = times.toSorted((a, b) => a - b)
  const perSecond = ((times.length - refused) * 1000) / (performance.now() - begunMs)
  return { perSecond, views: times.length - refused, p50Ms: share(sorted, 0.5), p99Ms: share(sorted, 0.99), refused }
}

async function sendQuickly({ nodes, key }: Setup): Promise<Omit<Measured, 'cpuMs'>> {
  const loads = visitors.map((visitor) => loadOf(key, visitor))
  const sent = { connections: CONNECTIONS / nodes.length, seconds: SECONDS }
  const fired = await Promise.all(nodes.map(({ url }, n) => fire(url, loads.slice(n * 1_000), sent)))
  const most = (of: (one: (typeof fired)[number]) => number): number => Math.max(...fired.map(of))
  const views = fired.reduce((sum, one) => sum + one['2xx'], 0)
  return {
    perSecond: views / most(({ duration }) => duration),
    views,
    p50Ms: most(({ latency }) => latency.p50),
    p99Ms: most(({ latency }) => latency.p99),
    refused: fired.reduce((sum, one) => sum + one.refused + one.errors, 0),
  }
}

async function measure(setup: Setup, rate: number | undefined): Promise<Measured> {
  const cpuMs = (): number => setup.clickhouse.nodes.reduce((sum, node) => sum + node.cpuMs(), 0)
  const before = cpuMs()
  const sent = await (rate === undefined ? sendQuickly(setup) : sendEvenly(setup, rate))
  await sleep(BEHIND_MS)
  return { ...sent, cpuMs: (cpuMs() - before) / sent.views }
}

const middle = (all: readonly Measured[]): Measured =>
  all.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(all.length / 2)]!

/** Of each rate the median of the rounds; the ratio is that of three nodes to one. */
async function compare(setups: readonly Setup[], acknowledge: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const rate of rates) {
    const found = setups.map((): Measured[] => [])
    for (let round = 0; round < ROUNDS; round++)
      for (const [n, setup] of setups.entries()) found[n]!.push(await measure(setup, rate))
    const medians = found.map(middle)
    for (const [n, { name }] of setups.entries())
      rows.push({
        name: `${acknowledge}, ${rate ?? 'as many as are answered'}: ${name}`,
        ...medians[n]!,
        ...(n > 0 && { ratio: medians[n]!.cpuMs / medians[0]!.cpuMs }),
      })
  }
  return rows
}

/**
 * Nothing where PostgreSQL cannot run, which nodes share.
 * @param acknowledge FACTS_ACKNOWLEDGE of all nodes.
 */
export async function measureNodes(dataDir: string, acknowledge: 'insert' | 'log'): Promise<Row[]> {
  const endings: (() => Promise<void>)[] = []
  const after: After = (end) => void endings.push(end)
  try {
    const postgres = await startPostgres({ after })
    if (!postgres) return []
    const setups: Setup[] = []
    for (const count of [1, 3]) setups.push(await openSetup({ dataDir, postgres, after }, count, acknowledge))
    await sleep(KNOWN_MS)
    for (const setup of setups) await measure(setup, undefined)
    return await compare(setups, acknowledge)
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}
