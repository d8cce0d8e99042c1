// Reads that look at many rows: searches, totals, pages far into a list. On SQLite they have a thread of
// their own, so that nobody who looks up a single row waits behind them.
import type { CompiledQuery, KyselyPlugin, QueryResult, RootOperationNode, UnknownRow } from 'kysely'
import type { Records } from '../records.ts'

const scans = new WeakSet<RootOperationNode>()

const marking: KyselyPlugin = {
  transformQuery({ node }) {
    scans.add(node)
    return node
  },
  transformResult: async ({ result }): Promise<QueryResult<UnknownRow>> => result,
}

/** The same records, for statements that may look at many rows. */
export const scanning = (records: Records): Records => records.withPlugin(marking)

export const isScan = ({ query }: CompiledQuery): boolean => scans.has(query)
