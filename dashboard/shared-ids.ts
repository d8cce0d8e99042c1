// What a page that was opened by a share link can be filtered by. The service accepts nothing else from it.
import type { ClauseId, Operator } from '../server/analytics/clauses.ts'
import { type ListId, listIds } from './api/overview-ids.ts'

const unshared: ReadonlySet<ListId> = new Set(['hostname', 'tag', 'event_name'])

export const sharedClauseIds: readonly ClauseId[] = listIds.filter((id) => !unshared.has(id))

export const isSharedClause = (id: string): boolean => sharedClauseIds.some((known) => known === id)

export const sharedOperators: readonly Operator[] = ['equals']

interface SharedClause {
  readonly id: string
  readonly op: string
  readonly values: readonly string[]
}

export const isSharedFilter = ({ id, op }: SharedClause): boolean =>
  isSharedClause(id) && sharedOperators.some((known) => known === op)

const withoutOutcomes: readonly string[] = ['region', 'city', 'language'] satisfies ClauseId[]

/** Whether a shared page shows events, conversions and the other outcomes. */
export const hasSharedOutcomes = (clauses: readonly SharedClause[]): boolean =>
  clauses.length === 0 ||
  (clauses.length === 1 && clauses.every(({ id, values }) => values.length === 1 && !withoutOutcomes.includes(id)))
