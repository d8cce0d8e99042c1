// ClickHouse on a server or a cluster of the owner.
import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { isNodeAway, type FactsEngine, type QuestionOptions } from './engine.ts'
import type { HeldLimits } from './held.ts'
import type { Beside } from '../beside.ts'
import { engineOver, type NodeLimits } from './http-engine.ts'
import { type Client, type Node, Nodes, parseNode, REQUEST_MS } from './nodes.ts'
import { mutation, partsOf } from './parts.ts'
import { askOf, findReplication, type NodeSays } from './replicas.ts'
import { openQuestionTurns } from '../question-turns.ts'

export interface ServerOptions extends QuestionOptions {
  readonly urls: readonly string[]
  readonly cluster: string | null
  /** True when left out. */
  readonly isPatient?: boolean
  /** Found out when left out; for tests. */
  readonly isReplicated?: boolean | undefined
  readonly beside?: Beside | undefined
}

/** The server's own profile may set less for its user. */
const GIBIBYTE = 1024 ** 3

const serverLimits: Omit<NodeLimits, 'lookupThreads'> = {
  bytes: { question: 4 * GIBIBYTE, shared: 4 * GIBIBYTE, lookup: 4 * GIBIBYTE, files: 4 * GIBIBYTE },
  commandMs: REQUEST_MS,
}

/** What questions keep on a node for their statements: rows of one, and bytes of all. */
const HELD_ROWS = 2_000_000
const HELD_BYTES = GIBIBYTE

const START_TRIES = 30
/** Whether it is waited for longer depends on what the others say. */
const FIRST_TRIES = 4
const START_PAUSE_MS = 500
/** A server that hangs is none that answers. */
const START_ANSWER_MS = 5_000

export async function openServer(options: ServerOptions): Promise<FactsEngine> {
  const found = options.urls.map(parseNode)
  const isReplicated = await meet(found, options)
  const nodes = new Nodes(found, { ...options, isReplicated })
  const limits = { ...serverLimits, lookupThreads: options.threads }
  const turns = options.beside?.turns ?? openQuestionTurns(found.length)
  return {
    ...engineOver(nodes, { ...options, limits, turns }),
    isReplicated,
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

/**
 * By their parts; a partition that is dropped takes its own along, and one that is rewritten gets another
 * data version. Copies hold nothing that is new.
 */
async function readVersion(client: Client, cluster: string | null, beforeDay: string | undefined): Promise<string> {
  const [parts, node] = partsOf(cluster)
  const result = await client.query({
    query: `/* facts.version */ SELECT toString(groupBitXor(cityHash64(node, of_table, partition, last, data, changed))) AS version, toString(count()) AS partitions
FROM (SELECT ${node} AS node, table AS of_table, partition_id AS partition, max(max_block_number) AS last, min(data_version) AS data, max(${mutation}) AS changed
  FROM ${parts} WHERE active AND database = currentDatabase() AND partition_id < {before:String} AND NOT startsWith(table, 'settled') GROUP BY node, of_table, partition)`,
    // Partitions are named by their Monday, like 20261116; the ledger of migrations, which has none, is
    // `all`.
    query_params: { before: beforeDay?.replaceAll('-', '') ?? '~' },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ version: string; partitions: string }>()
  return `${row?.version ?? ''}.${row?.partitions ?? ''}`
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

/**
 * Waits for the nodes, but not for ever: both may have been started together. One that is away is skipped
 * where it has replicas.
 * @returns whether it has.
 */
async function meet(found: readonly Node[], options: ServerOptions): Promise<boolean> {
  const { cluster, isPatient = true } = options
  const away = await listAway(found, isPatient ? FIRST_TRIES : 1)
  if (!cluster) {
    await waitFor(away, isPatient)
    return false
  }
  const there = found.filter((node) => !away.includes(node))
  const isKnown =
    away.length === 0 ||
    options.isReplicated === true ||
    (await askAll(there, cluster)).some(({ engine }) => engine.startsWith('Replicated'))
  if (!isKnown) await waitFor(away, isPatient)
  return options.isReplicated ?? findReplication(await askAll(isKnown ? there : found, cluster), found.length)
}

/** Those that do not answer. */
async function listAway(nodes: readonly Node[], tries: number): Promise<Node[]> {
  const failures = await Promise.all(nodes.map((node) => failureOf(node, tries)))
  return nodes.filter((_, index) => failures[index] !== undefined)
}

async function waitFor(nodes: readonly Node[], isPatient: boolean): Promise<void> {
  for (const node of nodes) {
    const failure = await failureOf(node, isPatient ? START_TRIES - FIRST_TRIES : 1)
    if (failure !== undefined) throw new Error(`ClickHouse at ${node.url} does not answer.`, { cause: failure })
  }
}

/** Undefined once it answers. @throws Error when it does, and refuses. */
async function failureOf(node: Node, mostTries: number): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      await createDatabase(node)
      return undefined
    } catch (error) {
      if (!isNodeAway(error)) throw new Error(`ClickHouse at ${node.url} refuses us.`, { cause: error })
      if (tries >= mostTries) return error
      await sleep(START_PAUSE_MS)
    }
  }
}

async function askAll(nodes: readonly Node[], cluster: string): Promise<NodeSays[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const client = startClient(node, node.database)
      try {
        return await askOf(client, node.url, cluster)
      } finally {
        await client.close()
      }
    }),
  )
}

const startClient = (node: Node, database: string): Client =>
  createClient({ ...node, database, request_timeout: START_ANSWER_MS, log: { level: ClickHouseLogLevel.OFF } })

async function createDatabase(node: Node): Promise<void> {
  const client = startClient(node, 'default')
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${node.database}` })
  } finally {
    await client.close()
  }
}
