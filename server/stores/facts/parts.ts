// Where ClickHouse says which parts its tables have. Every insert makes a part with a new block number, which
// merging keeps: while the numbers of a table are the same, so is what it holds.
import type { FactsLayout } from '../facts.ts'
import { storedName } from '../migrations/facts.ts'

/** The parts of all nodes, and the column that tells these apart. */
export const partsOf = (cluster: string | null): readonly [parts: string, node: string] =>
  cluster ? [`clusterAllReplicas('${cluster}', system.parts)`, '_shard_num'] : ['system.parts', '0']

/** A table on all nodes, and the column that tells these apart. */
export const nodesOf = (table: string, layout: FactsLayout): readonly [rows: string, node: string] =>
  layout.cluster
    ? [`clusterAllReplicas('${layout.cluster}', currentDatabase(), '${storedName(table, layout)}')`, '_shard_num']
    : [table, '0']

/** The condition that a part is one of this table, and in use. */
export const isPartOf = (table: string, layout: FactsLayout): string =>
  `active AND database = currentDatabase() AND table = '${storedName(table, layout)}'`

/**
 * Of a part, whose path ends with that of its table and its own name. A server calls it by the id of the
 * table, which no other table ever has.
 */
export const tableFolder = "splitByChar('/', path)[-3]"

/** Of a part that a mutation has written: its number, which is that of the latest one. */
export const mutation = "toUInt64OrZero(splitByChar('_', name)[5])"
