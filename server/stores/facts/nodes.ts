// Nodes of ClickHouse over HTTP, with connections for each kind of statement. Any may be asked and written
// to; of a cluster one that is away takes its part of the facts along.
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { commonSettings, isNodeAway } from './engine.ts'
import type { ReadLane } from '../question-turns.ts'

export type Client = ReturnType<typeof createClient>

/** Longer than the longest question may run. */
export const REQUEST_MS = 40_000

const ofCluster = {
  distributed_product_mode: 'local',
  // A node that hangs is given up before whoever asked has given up.
  handshake_timeout_ms: 2_000,
} as const

/**
 * The first replica of each shard that is there takes all rows and all questions, whichever node is asked: it
 * has what was acknowledged, and the others may lag behind it.
 */
const ofReplicas = {
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  // A change of a table is asked of each node in turn, which must know of the one before.
  alter_sync: '2',
  // One that is away takes it when it is back.
  replication_wait_for_inactive_replica_timeout: '0',
} as const

/** A node that answers no ping within it serves nobody. */
const PING_MS = 2_000

export type Lane = ReadLane | 'write' | 'files' | 'commands' | 'pings'

/** Where a node is, and the database of the facts. */
export interface Node {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

/** @throws Error with a sentence for the owner that holds no password. */
export function parseNode(text: string): Node {
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

export interface NodesOptions {
  /** The cluster that they are, if any. */
  readonly cluster?: string | null
  /** Whether shards have replicas that tell each other of their rows. */
  readonly isReplicated?: boolean
  /** How long a statement without rows may take; as long as any other when left out. */
  readonly commandMs?: number | undefined
}

/** The nodes, with a client of each for each kind of statement. */
export class Nodes {
  /**
   * A client has a few sockets: questions must never hold all of them while a page view waits to be stored.
   */
  readonly #lanes: Readonly<Record<Lane, readonly Client[]>>
  readonly count: number
  /** Of replicas. */
  readonly #cluster: string | undefined
  #turn = 0

  constructor(nodes: readonly Node[], { cluster = null, isReplicated = false, commandMs }: NodesOptions) {
    const settings = { ...commonSettings, ...(cluster && ofCluster), ...(isReplicated && ofReplicas) }
    this.#cluster = (isReplicated && cluster) || undefined
    const connect = (timeoutMs = REQUEST_MS) => nodes.map((node) => clientOf(node, settings, timeoutMs))
    this.count = nodes.length
    this.#lanes = {
      question: connect(),
      shared: connect(),
      lookup: connect(),
      write: connect(),
      files: connect(),
      commands: connect(commandMs),
      pings: connect(PING_MS),
    }
  }

  /**
   * On one node: each is tried once, beginning with the next one in turn. A question whose connection broke
   * off before its answer is asked once more, also where there is no other node: it may have broken for that
   * one alone.
   */
  async onAny<Result>(lane: Lane, work: (client: Client) => Promise<Result>): Promise<Result> {
    const clients = this.#lanes[lane]
    const first = this.#turn++
    for (let tried = 0; ; tried++) {
      try {
        return await work(clients[(first + tried) % clients.length]!)
      } catch (error) {
        const most = isBrokenOff(error) && questionLanes.has(lane) ? Math.max(2, clients.length) : clients.length
        if (!isNodeAway(error) || tried + 1 >= most) throw error
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

  /** On one replica of each shard; on all nodes where these have none. */
  async onEachShard(work: (client: Client) => Promise<unknown>): Promise<void> {
    if (this.#cluster === undefined) return this.onEach(work)
    const done = new Set<string>()
    let failure: Error | undefined
    for (const client of this.#lanes.commands) {
      try {
        const shard = await shardOf(client)
        if (!done.has(shard)) await work(client)
        done.add(shard)
      } catch (error) {
        if (!(error instanceof Error) || !isNodeAway(error)) throw error
        failure = error
      }
    }
    if (failure && done.size < (await this.onAny('lookup', (client) => this.#countShards(client)))) throw failure
  }

  async #countShards(client: Client): Promise<number> {
    const query = 'SELECT uniqExact(shard_num) AS shards FROM system.clusters WHERE cluster = {cluster:String}'
    const result = await client.query({ query, query_params: { cluster: this.#cluster }, format: 'JSONEachRow' })
    const [row] = await result.json<{ shards: string }>()
    return Number(row?.shards)
  }

  /** False when there is no replica of some shard. */
  async #pingShards(): Promise<boolean> {
    const query = `SELECT count() FROM cluster('${this.#cluster}', system.one)`
    try {
      await this.onAny('pings', (client) => client.command({ query }))
      return true
    } catch {
      return false
    }
  }

  /** Each holds a part of the facts: without one of them, or all of its replicas, nothing can be asked. */
  async ping(): Promise<boolean> {
    if (this.#cluster !== undefined) return this.#pingShards()
    const answers = await Promise.all(this.#lanes.pings.map((client) => client.ping()))
    return answers.every(({ success }) => success)
  }

  async close(): Promise<void> {
    for (const client of Object.values(this.#lanes).flat()) await client.close()
  }
}

const questionLanes: ReadonlySet<Lane> = new Set<ReadLane>(['question', 'shared', 'lookup'])

/** As the node calls its shard. */
async function shardOf(client: Client): Promise<string> {
  const result = await client.query({ query: "SELECT getMacro('shard') AS shard", format: 'JSONEachRow' })
  const [row] = await result.json<{ shard: string }>()
  return row!.shard
}

/** The connection ended before the answer began. */
const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/** To compress what stays on this machine costs a third of a small answer. */
const isHere = ({ url }: Node): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

function clientOf(node: Node, settings: ClickHouseSettings, timeoutMs: number): Client {
  return createClient({
    ...node,
    request_timeout: timeoutMs,
    compression: { request: false, response: !isHere(node) },
    clickhouse_settings: settings,
    log: { level: ClickHouseLogLevel.OFF }, // what fails is thrown, and stands in the service's own log
  })
}
