// How SQLite goes about statements: which index each of them uses, for tests that hold them to one.
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Records, Tx } from '../../server/stores/records.ts'

/**
 * Runs `work` on a handle that notes its statements, in a transaction.
 * @returns the lines of their plans; one that begins with SCAN reads a whole table or index.
 */
export async function plansOf(records: Records, work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const nodes: RootOperationNode[] = []
  const noting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return records.transaction().execute(async (tx) => {
    await work(tx.withPlugin(noting))
    const lines: string[] = []
    for (const node of nodes) {
      const query = tx.getExecutor().compileQuery(node, createQueryId())
      const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
      const { rows } = await tx.executeQuery<{ detail: string }>(explain)
      lines.push(...rows.map(({ detail }) => detail))
    }
    return lines
  })
}
