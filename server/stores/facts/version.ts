// What tells whether anybody has written to a store that several processes write to.
import type { Client, Nodes } from './nodes.ts'
import { partsOf } from './parts.ts'

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

/** Undefined when a node is away: questions are still answered, and nothing is cached. */
export async function versionOf(nodes: Nodes, cluster: string | null, beforeDay?: string): Promise<string | undefined> {
  try {
    return await nodes.onAny('lookup', (client) => readVersion(client, cluster, beforeDay))
  } catch {
    return undefined
  }
}
