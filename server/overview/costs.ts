// What advertising cost, in the overview of a property: the card and series of its cost, and what came of it.
// Read from the records each time, beside facts that are kept. docs/definitions.md, "Cost".
import { byName } from '../kernel/by-name.ts'
import { dayBegin } from '../kernel/zones.ts'
import { hasCosts } from '../costs/costs.ts'
import { comparedEntry } from '../analytics/compared.ts'
import { graphValue, metricValue } from '../analytics/metrics.ts'
import { perConversion, returnOf } from '../analytics/cost-figures.ts'
import { readSpend, type Spending, sumSpend } from '../analytics/spend.ts'
import { resultIds } from '../lists/row-metrics.ts'
import type { cardsOf, seriesOf } from './cards.ts'
import type { OverviewQuestion } from './question.ts'
import type { OverviewDeps, OverviewFacts } from './facts.ts'
import type { shownGoal } from './goal.ts'

type Kind = 'current' | 'previous'
type Goal = ReturnType<typeof shownGoal> | undefined
export type OverviewCosts = Readonly<Record<Kind, readonly Spending[]>>

/** Undefined where none is recorded, or none can be told: then nothing is said of costs. */
export async function askCosts(deps: OverviewDeps, question: OverviewQuestion): Promise<OverviewCosts | undefined> {
  if (!(await hasCosts(deps.records, question.propertyId))) return undefined
  const [current, previous] = await Promise.all([
    readSpend(deps, question, question.window),
    readSpend(deps, question, question.previous),
  ])
  return current && previous && { current, previous }
}

// ---------------------------------------------------------------- by bucket

/**
 * A day is of the bucket in which it ends, or of the last one: buckets of the other window may begin in the
 * middle of days. Null where a bucket is shorter than a day.
 */
function costsByBucket(costs: OverviewCosts, question: OverviewQuestion, kind: Kind): (number | null)[] {
  const { buckets, previousEdges, interval, window } = question
  if (interval === 'hour') return buckets.map(() => null)
  const edges = kind === 'current' ? buckets.map(({ fromMs }) => fromMs) : previousEdges.slice(0, buckets.length)
  const places = Map.groupBy(costs[kind], ({ day }) => {
    const lastMs = dayBegin(window.zone, day + 1) - 1
    return edges.findLastIndex((edge) => edge <= lastMs)
  })
  return edges.map((_, index) => sumSpend(places.get(index) ?? []))
}

// ---------------------------------------------------------------- cards and series

type ResultId = (typeof resultIds)[number]

const cards = {
  cost_per_conversion: {
    label: 'Cost per conversion',
    definition: 'Cost divided by the conversions of the goal. Lower is better.',
    format: 'cents',
    decimals: 0,
    isReverse: true,
  },
  return: {
    label: 'Return',
    definition: 'How many times its cost advertising brought in: value, or that of the goal, divided by cost.',
    format: 'ratio',
    decimals: 2,
    isReverse: false,
  },
} as const satisfies Record<ResultId, object>

/** What the figures of a window, or of a bucket, are made of. */
interface Parts {
  readonly cost: number | null
  /** Minor units. */
  readonly brought: number
  readonly conversions: number
}

const results: Readonly<Record<ResultId, (parts: Parts) => number | null>> = {
  cost_per_conversion: ({ cost, conversions }) => perConversion(cost, conversions),
  return: ({ cost, brought }) => returnOf(brought, cost),
}

const bringsMoney = (goal: Goal): boolean => goal?.cards.some(({ id }) => id === 'conversion_value') === true

function partsOfWindow(facts: OverviewFacts, costs: OverviewCosts, goal: Goal, kind: Kind): Parts {
  const ofGoal = (id: string): number => goal?.cards.find((card) => card.id === id)?.[kind] ?? 0
  const brought = bringsMoney(goal) ? ofGoal('conversion_value') : metricValue('value', facts.totals[kind])
  return { cost: sumSpend(costs[kind]), brought, conversions: ofGoal('conversions') }
}

function partsOfBuckets(facts: OverviewFacts, costs: OverviewCosts, goal: Goal, kind: Kind): Parts[] {
  const ofGoal = goal?.series[kind]
  return costsByBucket(costs, facts.question, kind).map((cost, index) => {
    const figures = facts[kind][index]
    const value = figures ? graphValue('value', figures) : 0
    return {
      cost,
      brought: bringsMoney(goal) ? (ofGoal?.conversion_value[index] ?? 0) : value,
      conversions: ofGoal?.conversions[index] ?? 0,
    }
  })
}

function cardOf(id: ResultId, now: Parts, before: Parts | undefined) {
  const { label, definition, format, ...how } = cards[id]
  const [current, previous] = [results[id](now), before && results[id](before)]
  const entry = comparedEntry(
    { current: current ?? 0, previous: current === null ? undefined : (previous ?? undefined) },
    how,
  )
  return { id, label, format, is_reverse: how.isReverse, definition, ...entry, current }
}

/** What came of what was spent. Without a goal there are no conversions. */
export function shownResults(facts: OverviewFacts, costs: OverviewCosts, goal: Goal) {
  const hasPrevious = facts.totals.previous.sessions > 0
  const before = hasPrevious ? partsOfWindow(facts, costs, goal, 'previous') : undefined
  const series = (kind: Kind) => {
    const parts = partsOfBuckets(facts, costs, goal, kind)
    return byName(resultIds, (id) => parts.map((part) => results[id](part)))
  }
  return {
    cards: resultIds
      .filter((id) => id === 'return' || goal !== undefined)
      .map((id) => cardOf(id, partsOfWindow(facts, costs, goal, 'current'), before)),
    series: { current: series('current'), previous: hasPrevious ? series('previous') : null },
  }
}

/** The cards and series of all sessions, with the cost in its place. */
export function withCost(
  shown: { readonly cards: ReturnType<typeof cardsOf>; readonly series: ReturnType<typeof seriesOf> },
  { question, totals }: OverviewFacts,
  costs: OverviewCosts,
) {
  const hasPrevious = totals.previous.sessions > 0
  const both = {
    current: sumSpend(costs.current),
    previous: hasPrevious ? sumSpend(costs.previous) : undefined,
  }
  const entry = comparedEntry(both, { decimals: 0, isReverse: true })
  const { current, previous } = shown.series
  return {
    cards: shown.cards.map((card) => (card.id === 'cost' ? { ...card, ...entry } : card)),
    series: {
      ...shown.series,
      current: { ...current, cost: costsByBucket(costs, question, 'current') },
      previous: previous && { ...previous, cost: costsByBucket(costs, question, 'previous') },
    },
  }
}
