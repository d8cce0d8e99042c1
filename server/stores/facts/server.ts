// ClickHouse over HTTP: a server, a cluster, or the embedded one on loopback. Any node may be asked and
// written to; one that is away is passed over.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseLogLevel, type ClickHouseSettings, type CommandParams, createClient } from '@clickhouse/client'
import type { Load } from '../../queues/fair-turns.ts'
import {
  commonSettings,
  endsWithItsCaller,
  insertSettings,
  isNodeAway,
  questionSettings,
  readSettings,
  theService,
  type FactsEngine,
  type ReadLane,
  type QuestionOptions,
} from './engine.ts'
import { saveFromServer } from './files.ts'
import type { HeldLimits } from './held.ts'
import { partsOf } from './parts.ts'
import { laneTurns, type LaneSizes, turnsOf } from './turns.ts'
import { insertOf } from './rows.ts'

export interface ServerOptions extends QuestionOptions {
  readonly urls: readonly string[]
  readonly cluster: string | null
  /** True when left out. */
  readonly isPatient?: boolean
}

/** What questions may take of a node. */
export interface NodeLimits {
  readonly places: LaneSizes
  /** Memory of one question, and of one file that is written. */
  readonly bytes: Readonly<Record<ReadLane | 'files', number>>
  /** Of one look-up. */
  readonly lookupThreads: number
  /** Files that are written at once. */
  readonly files: number
  /** How long a statement without rows may take: a migration, a backup. */
  readonly commandMs: number
}

type Client = ReturnType<typeof createClient>

/** Longer than the longest question may run. */
const REQUEST_MS = 40_000
/** The server's own profile may set less for its user. */
const GIBIBYTE = 1024 ** 3

/**
 * Turns for each node: questions at once, and those of one property, so that another one never waits for the
 * end of a long question. Fewer than the sockets of a client, or they would wait there in the order in which
 * they came.
 */
const serverLimits: Omit<NodeLimits, 'lookupThreads'> = {
  places: { ofAll: 8, ofAProperty: 5, givingWay: 2, shared: 2, lookups: 10 },
  bytes: { question: 4 * GIBIBYTE, shared: 4 * GIBIBYTE, lookup: 4 * GIBIBYTE, files: 4 * GIBIBYTE },
  files: 10,
  commandMs: REQUEST_MS,
}

/** What questions keep on a node for their statements: rows of one, and bytes of all. */
const HELD_ROWS = 2_000_000
const HELD_BYTES = GIBIBYTE

const START_TRIES = 30
const START_PAUSE_MS = 500

const clusterRead = { distributed_product_mode: 'local' } as const
/** A row is stored when its shard has it, not when the node that took it has it in a queue. */
const clusterWrite = { distributed_foreground_insert: 1 } as const

type Lane = ReadLane | 'write' | 'files' | 'commands'

/** The nodes, with a client of each for each kind of statement. */
class Nodes {
  /**
   * A client has a few sockets: questions must never hold all of them while a page view waits to be stored.
   */
  readonly #lanes: Readonly<Record<Lane, readonly Client[]>>
  readonly count: number
  #turn = 0

  constructor(nodes: readonly Node[], { cluster = null, limits }: OverOptions) {
    const settings = cluster ? { ...commonSettings, ...clusterRead } : commonSettings
    const connect = (timeoutMs = REQUEST_MS) => nodes.map((node) => clientOf(node, settings, timeoutMs))
    this.count = nodes.length
    this.#lanes = {
      question: connect(),
      shared: connect(),
      lookup: connect(),
      write: connect(),
      files: connect(),
      commands: connect(limits?.commandMs),
    }
  }

  /** On one node: each is tried once, beginning with the next one in turn. */
  async onAny<Result>(lane: Lane, work: (client: Client) => Promise<Result>): Promise<Result> {
    const clients = this.#lanes[lane]
    const first = this.#turn++
    for (let tried = 0; ; tried++) {
      try {
        return await work(clients[(first + tried) % clients.length]!)
      } catch (error) {
        if (!isNodeAway(error) || tried + 1 >= clients.length) throw error
      }
    }
  }

  /** On all nodes, one after the other. */
  async onEach(work: (client: Client) => Promise<unknown>): Promise<void> {
    for (const client of this.#lanes.commands) await work(client)
  }

  /** On all nodes at once. */
  async onAll(lane: Lane, work: (client: Client) => Promise<void>): Promise<void> {
    await Promise.all(this.#lanes[lane].map(work))
  }

  async ping(): Promise<boolean> {
    for (const client of this.#lanes.lookup) if ((await client.ping()).success) return true
    return false
  }

  async close(): Promise<void> {
    for (const client of Object.values(this.#lanes).flat()) await client.close()
  }
}

function clientOf(node: Node, settings: ClickHouseSettings, timeoutMs: number): Client {
  return createClient({
    ...node,
    request_timeout: timeoutMs,
    compression: { request: false, response: true },
    clickhouse_settings: settings,
    log: { level: ClickHouseLogLevel.OFF }, // what fails is thrown, and stands in the service's own log
  })
}

export async function openServer(options: ServerOptions): Promise<FactsEngine> {
  const found = options.urls.map(parseNode)
  for (const node of found) await untilItAnswers(node, options.isPatient === false ? 1 : START_TRIES)
  const nodes = new Nodes(found, options)
  return {
    ...engineOver(nodes, options),
    version: async (beforeDay) => {
      // Without a cluster, several nodes are copies of which one may lag behind another.
      if (!options.cluster && found.length > 1) return undefined
      try {
        return await nodes.onAny('lookup', (client) => readVersion(client, options.cluster, beforeDay))
      } catch {
        return undefined // a node is away: questions are still answered, and nothing is cached
      }
    },
  }
}

/** One node to which this process alone writes. */
export function openOwnNode(url: string, options: QuestionOptions & { readonly limits: NodeLimits }): FactsEngine {
  return engineOver(new Nodes([parseNode(url)], options), options)
}

interface OverOptions extends QuestionOptions {
  readonly cluster?: string | null
  readonly limits?: NodeLimits
}

function engineOver(nodes: Nodes, options: OverOptions): FactsEngine {
  const { cluster = null, limits = { ...serverLimits, lookupThreads: options.threads } } = options
  const files = turnsOf({ size: limits.files, ofAProperty: limits.files, givingWay: limits.files })
  return {
    ...readerOf(nodes, limits, options),
    insert: async (table, columns, lines, token) => {
      const query = insertOf(table, columns, lines)
      const settings = { ...insertSettings, ...(cluster && clusterWrite), insert_deduplication_token: token }
      await nodes.onAny('write', (client) => client.command({ query, clickhouse_settings: settings }))
    },
    command: (sql) => nodes.onEach((client) => client.command({ query: sql })),
    save: (task, watch) => {
      const save = () => nodes.onAny('files', (client) => saveFromServer(client, task, watch, limits.bytes.files))
      return files.run(theService, save)
    },
    ping: () => nodes.ping(),
    close: () => nodes.close(),
  }
}

const times = (places: LaneSizes, count: number): LaneSizes => ({
  ofAll: places.ofAll * count,
  ofAProperty: places.ofAProperty * count,
  givingWay: places.givingWay * count,
  shared: places.shared * count,
  lookups: places.lookups * count,
})

function readerOf(
  nodes: Nodes,
  limits: NodeLimits,
  options: QuestionOptions,
): Pick<FactsEngine, 'read' | 'everywhere'> {
  const turns = laneTurns(times(limits.places, nodes.count))
  const settingsOf = (lane: ReadLane, load: Load): ClickHouseSettings => ({
    ...readSettings(lane === 'lookup' ? limits.lookupThreads : options.threads, limits.bytes[lane]),
    ...questionSettings(lane, load, options),
  })
  return {
    read: (sql, params, lane, taker = theService) =>
      turns[lane].run(taker, (load) =>
        nodes.onAny(lane, async (client) => {
          // A question that was given up is no sign of a node that is away.
          taker.signal?.throwIfAborted()
          const result = await client.query({
            query: sql,
            format: 'JSONEachRow',
            query_params: { ...params },
            ...(taker.signal && { abort_signal: taker.signal }),
            clickhouse_settings: { ...settingsOf(lane, load), ...endsWithItsCaller },
          })
          return result.json<unknown>()
        }),
      ),
    everywhere: (sql, params, lane, taker = theService) =>
      turns[lane].run(taker, (load) =>
        nodes.onAll(lane, (client) =>
          commandUntilStopped(client, taker.signal, {
            query: sql,
            query_params: { ...params },
            clickhouse_settings: settingsOf(lane, load),
          }),
        ),
      ),
  }
}

/** Unlike a question, it does not end with its connection. */
async function commandUntilStopped(
  client: Client,
  signal: AbortSignal | undefined,
  command: Omit<CommandParams, 'query_id'>,
): Promise<void> {
  signal?.throwIfAborted()
  const query_id = randomUUID()
  const stop = (): void =>
    void client.command({ query: `KILL QUERY WHERE query_id = '${query_id}' ASYNC` }).catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await client.command({ ...command, query_id })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** By their parts; a partition that is dropped takes its own along. Copies hold nothing that is new. */
async function readVersion(client: Client, cluster: string | null, beforeDay: string | undefined): Promise<string> {
  const [parts, node] = partsOf(cluster)
  const result = await client.query({
    query: `/* facts.version */ SELECT toString(groupBitXor(cityHash64(node, name, partition, last))) AS version, toString(count()) AS partitions
FROM (SELECT ${node} AS node, table AS name, partition_id AS partition, max(max_block_number) AS last
  FROM ${parts} WHERE active AND database = currentDatabase() AND partition_id < {before:String} AND NOT startsWith(table, 'settled') GROUP BY node, name, partition)`,
    // Partitions are named by their Monday, like 20261116; the ledger of migrations, which has none, is
    // `all`.
    query_params: { before: beforeDay?.replaceAll('-', '') ?? '~' },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ version: string; partitions: string }>()
  return `${row?.version ?? ''}.${row?.partitions ?? ''}`
}

interface Node {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

function parseNode(text: string): Node {
  // The address may hold a password: it must not come back in an error.
  if (!URL.canParse(text)) throw new Error('CLICKHOUSE_URL is not a URL.')
  const url = new URL(text)
  const database = decodeURIComponent(url.pathname.slice(1)) || 'default'
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(database)) throw new Error('The database in CLICKHOUSE_URL is not a plain name.')
  return {
    url: url.origin,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database,
  }
}

/** Without a cluster, several nodes are copies, of which each question asks another one. */
export const heldOnServers = (urls: readonly string[], cluster: string | null): HeldLimits => ({
  nodes: urls.length === 1 || cluster !== null ? urls.length : 0,
  mostRows: HELD_ROWS,
  mostBytes: HELD_BYTES * urls.length,
})

/** That of the tables; null without a server. */
export function databaseOf([url]: readonly string[]): string | null {
  return url === undefined ? null : parseNode(url).database
}

/** Both may have been started together: the program waits for the server, but not for ever. */
async function untilItAnswers(node: Node, mostTries: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await createDatabase(node)
      return
    } catch (error) {
      if (!isNodeAway(error)) throw new Error(`ClickHouse at ${node.url} refuses us.`, { cause: error })
      if (tries >= mostTries) throw new Error(`ClickHouse at ${node.url} does not answer.`, { cause: error })
      await sleep(START_PAUSE_MS)
    }
  }
}

async function createDatabase(node: Node): Promise<void> {
  const client = createClient({ ...node, database: 'default', log: { level: ClickHouseLogLevel.OFF } })
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${node.database}` })
  } finally {
    await client.close()
  }
}
