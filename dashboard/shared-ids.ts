// What a page that was opened by a share link can be filtered by. The service accepts nothing else from it.
import { dimensionOf, sharedClauseIds, sharedOperators } from '../server/analytics/dimensions.ts'

export { sharedOperators }

export const isSharedClause = (id: string): boolean => sharedClauseIds.some((known) => known === id)

interface SharedClause {
  readonly id: string
  readonly op: string
  readonly values: readonly string[]
}

export const isSharedFilter = ({ id, op }: SharedClause): boolean =>
  isSharedClause(id) && sharedOperators.some((known) => known === op)

const withoutOutcomes = sharedClauseIds.filter((id) => dimensionOf(id).liesIn !== undefined)

/** Whether a shared page tells what came of the visits. */
export const hasSharedOutcomes = (clauses: readonly SharedClause[]): boolean =>
  clauses.length === 0 ||
  (clauses.length === 1 &&
    clauses.every(({ id, values }) => values.length === 1 && !withoutOutcomes.some((known) => known === id)))
