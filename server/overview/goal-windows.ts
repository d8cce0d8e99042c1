// Both windows of a goal from one statement: to find the sessions to which conversions are credited takes as
// long for one of them as for both. docs/decisions/0084-goals-in-parts.md.
import type { Scope } from '../analytics/facts.ts'
import { DAY_MS } from '../kernel/days.ts'
import { currentAsker, isCanceled } from '../queues/asker.ts'
import { openGather } from '../queues/gather.ts'
import type { CutParts, GoalQuery } from './goal-facts.ts'

interface Asked {
  /** Its own: two windows may have the same days. */
  readonly key: string
  readonly scope: Scope
  readonly query: GoalQuery
}

/** What lies between windows that are further apart would take longer than a statement for each. */
const MOST_BETWEEN_MS = DAY_MS

/** The later one alone has values. */
const areNear = (earlier: Asked, later: Asked): boolean => {
  const betweenMs = later.scope.span.fromMs - earlier.scope.span.toMs
  return betweenMs >= 0 && betweenMs <= MOST_BETWEEN_MS && earlier.query.values.length === 0
}

/** Of both: each finds its own edges in it. */
const together = (earlier: Asked, later: Asked): Pick<Asked, 'scope' | 'query'> => {
  const edges = [...earlier.query.edges, earlier.scope.span.toMs, ...later.query.edges]
  const span = { fromMs: earlier.scope.span.fromMs, toMs: later.scope.span.toMs }
  return {
    scope: { ...later.scope, span },
    query: { ...later.query, edges: [...new Set(edges)], valuesFromMs: later.scope.span.fromMs },
  }
}

export type ReadApart = (scope: Scope, query: GoalQuery) => Promise<CutParts>

const withoutValues = ({ past, rest }: CutParts): CutParts => ({
  past: { ...past, values: [] },
  rest: { ...rest, values: [] },
})

/**
 * For the windows of one question, which have property, clauses and currency in common: those that are asked
 * about at one moment share a statement.
 */
export function sharedByWindows(read: ReadApart): ReadApart {
  const readOne = ({ scope, query }: Pick<Asked, 'scope' | 'query'>): Promise<CutParts> => read(scope, query)
  let asks = 0

  const readBoth = async (asked: readonly Asked[]): Promise<readonly CutParts[]> => {
    const [earlier, later, other] = asked.toSorted((a, b) => a.scope.span.fromMs - b.scope.span.fromMs)
    if (!earlier || !later || other || !areNear(earlier, later)) return Promise.all(asked.map(readOne))
    const parts = await readOne(together(earlier, later))
    return asked.map(({ query }) => (query.values.length === 0 ? withoutValues(parts) : parts))
  }

  const gather = openGather<Asked, CutParts>({
    groupOf: () => '',
    keyOf: ({ key }) => key,
    load: async (asked) => {
      const all = await readBoth(asked)
      return new Map(asked.map((each, index) => [each.key, all[index]!]))
    },
  })

  return async (scope, query) => {
    const asked = { key: String(++asks), scope, query }
    try {
      return (await gather(asked))!
    } catch (error) {
      // Whoever asked about the other window may have left.
      if (!isCanceled(error) || currentAsker()?.signal?.aborted) throw error
      return readOne(asked)
    }
  }
}
