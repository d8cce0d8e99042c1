// Whether the nodes of a cluster keep copies of each other (docs/decisions/0083-replicas.md): found out when
// the service starts, by asking those that answer.
import type { Client } from './nodes.ts'

/** What a node says of itself and of its cluster. */
export interface NodeSays {
  readonly url: string
  /** 1 when it has the macros that tell it from others. */
  readonly has_macros: number
  readonly has_keeper: number
  /** Of its page views; '' while there are none. */
  readonly engine: string
  /** How many the cluster has. */
  readonly nodes: number
  /** The most that one shard has. */
  readonly replicas: number
  /** 1 when an insert goes to one of them, which tells the others. */
  readonly tells_others: number
}

/** The session of a keeper tells of it where the server has no table for it. */
const saysSql = `/* facts.replicas */ SELECT
  toUInt8((SELECT count() FROM system.macros WHERE macro IN ('shard', 'replica')) = 2) AS has_macros,
  toUInt8((SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper') > 0 OR zookeeperSessionUptime() > 0) AS has_keeper,
  (SELECT any(engine) FROM system.tables WHERE database = currentDatabase() AND name = 'views_local') AS engine,
  toUInt32(count()) AS nodes, toUInt32(max(replica_num)) AS replicas, min(internal_replication) AS tells_others
FROM system.clusters WHERE cluster = {cluster:String}`

export async function askOf(client: Client, url: string, cluster: string): Promise<NodeSays> {
  const result = await client.query({ query: saysSql, query_params: { cluster }, format: 'JSONEachRow' })
  const [row] = await result.json<Omit<NodeSays, 'url'>>()
  return { ...row!, url }
}

function areReplicated(said: readonly NodeSays[]): boolean {
  const installed = said.filter(({ engine }) => engine !== '')
  const replicated = installed.filter(({ engine }) => engine.startsWith('Replicated'))
  if (installed.length > 0) {
    // A table keeps its engine: who wants another one moves into a new database.
    if (replicated.length > 0 && replicated.length < installed.length)
      throw new Error('The tables of facts are replicated on some ClickHouse nodes and not on others.')
    return replicated.length > 0
  }
  const able = said.filter(({ has_macros, has_keeper }) => has_macros === 1 && has_keeper === 1)
  if (able.length === 0 || able.length === said.length) return able.length > 0
  const lacks = said.find((node) => !able.includes(node))!
  throw new Error(
    `Some ClickHouse nodes have the macros shard and replica and a keeper; ${lacks.url} does not: give them to all, or to none.`,
  )
}

/**
 * @param said by the nodes that answer.
 * @param named how many nodes CLICKHOUSE_URL has.
 * @throws Error with a sentence for the owner when what they say cannot work.
 */
export function findReplication(said: readonly NodeSays[], named: number): boolean {
  const isReplicated = areReplicated(said)
  const { nodes = 0, replicas = 0, tells_others = 0 } = said[0] ?? {}
  if (isReplicated && nodes !== named)
    throw new Error(`CLICKHOUSE_URL names ${named} nodes, and the cluster has ${nodes}: name all of them.`)
  if (replicas > 1 && isReplicated !== (tells_others === 1))
    throw new Error(
      isReplicated
        ? 'The facts are replicated: set internal_replication to true for each shard of the cluster.'
        : 'Shards of the cluster have several replicas and internal_replication, but no macros and keeper: rows would be on one of them alone.',
    )
  return isReplicated
}
