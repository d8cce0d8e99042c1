// Which statements change nothing.
import type { CompiledQuery } from 'kysely'

/**
 * A select changes nothing, also when it was written by hand; any other statement written by hand may do
 * anything.
 */
export const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql))
