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
import { countsOfValue, keyOfValue, type ListedValue } from './goal-facts.ts'
import { type GoalReader, goalReader } from './goal-parts.ts'
import type { GoalCounted } from './goal-shown.ts'
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
  /** By keyOfValue. */
  readonly rows: Readonly<Record<string, GoalCounts>>
}

type Shown = Pick<OverviewFacts, 'question' | 'lists' | 'totals'>

const sumOf = (parts: readonly GoalCounts[]): GoalCounts => parts.reduce(addGoalCounts, noGoalCounts)

const readCurrentGoal = (
  question: OverviewQuestion,
  read: GoalReader,
  shown: Promise<readonly ListedValue[]>,
): Promise<GoalCounted> => read(scopeOf(question), { edges: edgesOf(question), values: 'all', shown, isKept: true })

/** By bucket. Of a window that moves with the time, what is known by its edges is known for some minutes. */
async function readPreviousGoal(deps: OverviewDeps, question: OverviewQuestion, read: GoalReader) {
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

interface Reading {
  readonly current: Promise<GoalCounted>
  /** Undefined: it is read once it is known that the window has sessions. */
  readonly previous: Promise<readonly GoalCounts[]> | undefined
}

/** Reads one goal for one overview. */
export interface GoalAsked {
  readonly credit: Credit
  /** Beside the figures and lists, which it does not need before they are there. */
  readonly begin: (question: OverviewQuestion) => void
  /** What has begun, or begins now. @param shown the values in the lists. */
  readonly reading: (question: OverviewQuestion, shown: readonly ListedValue[]) => Reading
  readonly read: GoalReader
}

export function openGoal(deps: OverviewDeps, propertyId: string, credit: Credit): GoalAsked {
  const read = goalReader(deps, propertyId, credit)
  const shown = Promise.withResolvers<readonly ListedValue[]>()
  let begun: Reading | undefined
  const begin = (question: OverviewQuestion): Reading => {
    const current = readCurrentGoal(question, read, shown.promise)
    // Both windows take one statement, also where the other one has nothing.
    const previous = question.compare === 'preceding' ? readPreviousGoal(deps, question, read) : undefined
    // Who waits for them is told of a failure.
    for (const one of [current, previous]) one?.catch(() => undefined)
    return { current, previous }
  }
  return {
    credit,
    read,
    begin: (question) => void (begun = begin(question)),
    reading: (question, values) => {
      shown.resolve(values)
      return begun ?? begin(question)
    },
  }
}

/** By keyOfValue. Values of which too many others have more are counted by name. */
async function rowsOf(
  question: OverviewQuestion,
  values: readonly ListedValue[],
  current: GoalCounted,
  read: GoalReader,
) {
  const known = values.map((value) => ({ value, counts: countsOfValue(current.values, value) }))
  const others = known.flatMap(({ value, counts }) => (counts ? [] : [value]))
  const scope = scopeOf(question)
  const named =
    others.length > 0 ? await read(scope, { edges: [scope.span.fromMs], values: others, isKept: false }) : undefined
  return Object.fromEntries(
    known.map(({ value, counts }) => [
      keyOfValue(value),
      counts ?? countsOfValue(named?.values ?? [], value) ?? noGoalCounts,
    ]),
  )
}

async function readGoal(deps: OverviewDeps, { question, lists, totals }: Shown, { reading, read }: GoalAsked) {
  const hasPrevious = totals.previous.sessions > 0
  const values = valuesIn(lists)
  const begun = reading(question, values)
  const [current, previous] = await Promise.all([
    begun.current,
    hasPrevious ? (begun.previous ?? readPreviousGoal(deps, question, read)) : [],
  ])
  const rows = await rowsOf(question, values, current, read)
  return { current: current.parts, previous, rows } satisfies GoalFacts
}

/**
 * What a contact does later may be credited to a session of a window that is over.
 * @param version of the facts, from before anything was read.
 */
export async function askGoal(
  deps: OverviewDeps,
  shown: Shown,
  asked: GoalAsked,
  version: string | undefined,
): Promise<GoalFacts> {
  const { answers } = deps
  const { question, lists, totals } = shown
  const { propertyId, window } = question
  const hasPrevious = totals.previous.sessions > 0
  const { credit } = asked
  const key = ['goal', credit, hasPrevious, valuesIn(lists).map(keyOfValue), ...shapeOf(question), ...keyOf(question)]
  const ask = { propertyId, key, maxAgeMs: ageOf(deps, window) }
  const { answer } = await answers.get(version, ask, () => answers.inTurn(() => readGoal(deps, shown, asked)))
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
