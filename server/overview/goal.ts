// The goal of an overview: its cards and series beside those of all sessions, and its share in the rows of
// the lists. docs/definitions.md, "Goals".
import { byName } from '../kernel/by-name.ts'
import { invalid } from '../kernel/problem.ts'
import { bringsMoney, type Credit } from '../analytics/credit-sql.ts'
import { dimensionIds } from '../analytics/dimensions.ts'
import { addGoalCounts, type GoalCounts, goalMetrics, noGoalCounts } from '../analytics/goal-counts.ts'
import { type GoalInput, parseCredit } from '../analytics/goals.ts'
import type { Goals } from '../analytics/clauses.ts'
import { comparedEntry, round } from '../analytics/compared.ts'
import type { Figures } from '../analytics/metrics.ts'
import { scopeOf } from '../analytics/question.ts'
import { ageOf, keyOf } from '../analytics/window-parts.ts'
import { goalMetricIds, type GoalMetricId } from '../lists/row-metrics.ts'
import { edgesOf, previousOf } from './figures.ts'
import { type OverviewQuestion, shapeOf } from './question.ts'
import type { OverviewDeps, OverviewFacts } from './facts.ts'
import { keyOfValue, type ListedValue } from './goal-facts.ts'
import type { GoalCounted, GoalReader } from './goal-parts.ts'
import { addUpParts, movingEdges } from './previous.ts'

/** @throws Problem('validation_failed') for a goal that cannot be asked about. */
export function parseGoal(ask: GoalInput & { readonly goals?: Goals | undefined }, isShared: boolean) {
  if (isShared && ask.goal) throw invalid('goal', 'A share link shows no goal.')
  return parseCredit(ask, ask.goals)
}

type Lists = OverviewFacts['lists']

/** What the lists show. */
const valuesIn = (lists: Lists): ListedValue[] =>
  dimensionIds.flatMap((list) =>
    lists[list].rows.map(({ id, country_code = '' }) => ({ list, value: id, countryCode: country_code })),
  )

interface GoalFacts {
  /** By bucket. */
  readonly current: readonly GoalCounts[]
  readonly previous: readonly GoalCounts[]
  readonly rows: GoalCounted['rows']
}

type Shown = Pick<OverviewFacts, 'question' | 'lists' | 'totals'>

const sumOf = (parts: readonly GoalCounts[]): GoalCounts => parts.reduce(addGoalCounts, noGoalCounts)

/** By bucket. Of a window that moves with the time, what is known by its edges is known for some minutes. */
async function readPreviousGoal(deps: OverviewDeps, question: OverviewQuestion, { read }: GoalReader) {
  const scope = previousOf(question)
  const edges = await movingEdges(deps, question)
  if (edges) {
    const span = { fromMs: edges[0]!, toMs: edges.at(-1)! }
    const { parts } = await read({ ...scope, span }, { edges, values: [], isKept: true })
    const added = addUpParts(edges, parts, question, sumOf)
    if (added) return added
  }
  const isKept = !question.window.endsNow
  return (await read(scope, { edges: question.previousEdges, values: [], isKept })).parts
}

async function readGoal(deps: OverviewDeps, { question, lists, totals }: Shown, reader: GoalReader) {
  const hasPrevious = totals.previous.sessions > 0
  const [current, previous] = await Promise.all([
    reader.read(scopeOf(question), { edges: edgesOf(question), values: valuesIn(lists), isKept: true }),
    hasPrevious ? readPreviousGoal(deps, question, reader) : [],
  ])
  return { current: current.parts, previous, rows: current.rows } satisfies GoalFacts
}

export interface GoalAsked {
  readonly credit: Credit
  readonly reader: GoalReader
  /** Of the facts, from before the reader has begun. */
  readonly version: string | undefined
}

/** What a contact does later may be credited to a session of a window that is over. */
export async function askGoal(
  deps: OverviewDeps,
  shown: Shown,
  { credit, reader, version }: GoalAsked,
): Promise<GoalFacts> {
  const { answers } = deps
  const { question, lists, totals } = shown
  const { propertyId, window } = question
  const hasPrevious = totals.previous.sessions > 0
  const key = ['goal', credit, hasPrevious, valuesIn(lists).map(keyOfValue), ...shapeOf(question), ...keyOf(question)]
  const ask = { propertyId, key, maxAgeMs: ageOf(deps, window) }
  const { answer } = await answers.get(version, ask, () => answers.inTurn(() => readGoal(deps, shown, reader)))
  return answer
}

// ---------------------------------------------------------------- shown

const cards = {
  conversions: {
    label: 'Conversions',
    definition: 'How often the goal was met, whenever that was, by the sessions to which it is credited.',
    format: 'count',
    decimals: 0,
  },
  rate: {
    label: 'Conversion rate',
    definition: 'Share of sessions to which at least one conversion is credited.',
    format: 'fraction',
    decimals: 4,
  },
  conversion_value: {
    label: 'Conversion value',
    definition: 'What these conversions brought in, in the currency of the property at the rate of the day.',
    format: 'cents',
    decimals: 0,
  },
} as const satisfies Record<GoalMetricId, object>

/** Of a bucket: as in the graph, rates in percent; null where there is no session to be a share of. */
function seriesValue(id: GoalMetricId, goal: GoalCounts, { sessions }: Figures): number | null {
  if (id !== 'rate') return goalMetrics(goal, sessions)[id]
  return sessions === 0 ? null : round((goal.sessions / sessions) * 100, 3)
}

/** The lists with the figures of the goal in each row. */
export function goalLists(lists: Lists, { rows }: GoalFacts) {
  return byName(dimensionIds, (list) => ({
    ...lists[list],
    rows: lists[list].rows.map((row) => {
      const of = { list, value: row.id, countryCode: row.country_code ?? '' }
      return { ...row, metrics: goalMetrics(rows[keyOfValue(of)] ?? noGoalCounts, row.value) }
    }),
  }))
}

/** @param nowMs a bucket that begins later is not there yet: its values are null. */
export function shownGoal(
  credit: Credit,
  { current, previous }: GoalFacts,
  { question, current: sessions, previous: sessionsBefore, totals }: OverviewFacts,
  nowMs: number,
) {
  const ids = goalMetricIds.filter((id) => id !== 'conversion_value' || bringsMoney(credit.goal))
  const hasPrevious = totals.previous.sessions > 0
  const now = goalMetrics(sumOf(current), totals.current.sessions)
  const before = goalMetrics(sumOf(previous), totals.previous.sessions)
  const series = (parts: readonly GoalCounts[], of: readonly Figures[], isThere: (index: number) => boolean) =>
    byName(goalMetricIds, (id) =>
      parts.map((part, index) => (isThere(index) ? seriesValue(id, part, of[index]!) : null)),
    )
  return {
    id: credit.goal.id,
    name: credit.goal.name,
    attribution: credit.attribution,
    cards: ids.map((id) => ({
      id,
      label: cards[id].label,
      format: cards[id].format,
      is_reverse: false,
      definition: cards[id].definition,
      ...comparedEntry(
        { current: now[id], previous: hasPrevious ? before[id] : undefined },
        { decimals: cards[id].decimals, isReverse: false },
      ),
    })),
    series: {
      current: series(current, sessions, (index) => (question.buckets[index]?.fromMs ?? 0) <= nowMs),
      previous: hasPrevious ? series(previous, sessionsBefore, () => true) : null,
    },
  }
}
