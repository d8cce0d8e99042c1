// What an overview is asked: the window, its buckets, and the window that it is compared with.
import { invalid } from '../kernel/problem.ts'
import type { GoalInput } from '../analytics/goals.ts'
import { type Bucket, bucketsOf, type Interval, parseInterval } from '../kernel/buckets.ts'
import { precedingSpan, readDates, sameDistance, showingDays, yearBefore, type ZonedSpan } from '../kernel/window.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  type AskedProperty,
  openFrom,
  parseInput,
  type Question,
} from '../analytics/question.ts'

export const compareWays = ['preceding', 'year', 'custom'] as const
export type Compare = (typeof compareWays)[number]

export interface OverviewInput extends AnalyticsInput, GoalInput {
  readonly interval?: string | null | undefined
  readonly compare?: string | null | undefined
  /** YYYY-MM-DD, both included, when `compare` is `custom`. */
  readonly compare_from?: string | null | undefined
  readonly compare_to?: string | null | undefined
}

export interface OverviewQuestion extends Question {
  readonly interval: Interval
  readonly compare: Compare
  readonly buckets: readonly Bucket[]
  /** The window that this one is compared with. */
  readonly previous: ZonedSpan
  /**
   * Where in it the buckets begin, one for each; and where they end, when it goes on beyond them: what comes
   * then is in the cards alone.
   */
  readonly previousEdges: readonly number[]
  /** What began since then may still go on. */
  readonly openFromMs: number
}

/** What one question is known by, besides its window and clauses. */
export const shapeOf = ({ interval, compare, previous, buckets }: OverviewQuestion): readonly unknown[] => [
  interval,
  compare,
  // A window that moves with the time moves the one before it.
  compare === 'custom' ? [previous.fromMs, previous.toMs] : null,
  buckets.length,
]

function parseCompare(compare: string | null | undefined): Compare {
  const found = compareWays.find((way) => way === (compare ?? 'preceding'))
  if (!found) throw invalid('compare', `compare must be one of ${compareWays.join(', ')}.`)
  return found
}

/** @throws Problem('validation_failed') naming what cannot be asked. */
export function parseOverview(
  deps: Pick<AnalyticsDeps, 'now'>,
  property: AskedProperty,
  ask: OverviewInput,
): OverviewQuestion {
  const question = parseInput(deps, property, ask)
  const { window } = question
  const interval = parseInterval(ask.interval, window)
  const compare = parseCompare(ask.compare)
  const buckets = bucketsOf(window, interval)
  const { previous, back } = compared[compare](window, ask)
  const endMs = back(window.toMs)
  const previousEdges = [...buckets.map(({ fromMs }) => back(fromMs)), ...(endMs < previous.toMs ? [endMs] : [])]
  const openFromMs = openFrom(deps.now())
  return { ...question, interval, compare, buckets, previous, previousEdges, openFromMs }
}

/** The other window, and where a time of this one lies in it. */
interface Compared {
  readonly previous: ZonedSpan
  readonly back: (atMs: number) => number
}

const beside = (window: ZonedSpan, previous: ZonedSpan): Compared => ({
  previous,
  back: (atMs) => sameDistance(window, atMs, previous),
})

const compared: Readonly<Record<Compare, (window: ZonedSpan, ask: OverviewInput) => Compared>> = {
  preceding: (window) => beside(window, precedingSpan(window)),
  year: ({ zone, fromMs, toMs }) => {
    const back = (atMs: number) => yearBefore(zone, atMs)
    return { previous: { zone, fromMs: back(fromMs), toMs: back(toMs) }, back }
  },
  custom: (window, ask) =>
    beside(window, readDates(ask, window.zone, { from: 'compare_from', to: 'compare_to', when: 'compare' }).span),
}

/** As answers repeat it. */
export const comparisonOf = ({ compare }: OverviewQuestion, { compare_from, compare_to }: OverviewInput) => ({
  compare,
  ...(compare === 'custom' && { compare_from: compare_from ?? null, compare_to: compare_to ?? null }),
})

export const previousShowing = ({ previous }: OverviewQuestion): string => showingDays(previous)
