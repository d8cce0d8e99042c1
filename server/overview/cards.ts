// The overview of a window: nine cards and nine series beside the window that it is compared with, by the
// definitions of `metrics` and `graph`. Everything is made of figures that add up, counted once for each
// bucket, so that a card can not differ from its graph.
import { byName } from '../kernel/by-name.ts'
import { invalid } from '../kernel/problem.ts'
import type { GoalInput } from '../analytics/goals.ts'
import { type Bucket, bucketsOf, type Interval, parseInterval } from '../kernel/buckets.ts'
import { precedingSpan, readDates, sameDistance, showingDays, yearBefore, type ZonedSpan } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  type AskedProperty,
  openFrom,
  parseInput,
  type Question,
  scopeOf,
} from '../analytics/question.ts'
import { columnsOf, readParts, type Scope } from '../analytics/facts.ts'
import {
  type FigureName,
  type Figures,
  graphValue,
  isKnownMetric,
  knownFigureNames,
  knownMetricIds,
  knownValue,
  metricValue,
  neededBy,
  noFigures,
  shownMetricIds,
  type ShownMetricId,
  shownMetrics,
  sumOf,
  summaryEntry,
} from '../analytics/metrics.ts'
import { noPart, type Part, type ShownParts, shownParts } from '../shared-figures/cells.ts'
import { readCellParts } from '../shared-figures/facts.ts'

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

// ---------------------------------------------------------------- figures

/** By bucket. */
export interface WindowFigures {
  readonly current: readonly Figures[]
  readonly previous: readonly Figures[]
}

const shownFigures: readonly FigureName[] = [...new Set([...neededBy(shownMetricIds), ...knownFigureNames])]

/** What these read of a session. */
export const overviewColumns: readonly SessionColumn[] = ['entry_at', ...columnsOf(shownFigures)]

/** Reads what there is of each part of the scope that begins at one of the edges. */
interface PartReader<Part> {
  readonly read: (scope: Scope, edges: readonly number[]) => Promise<readonly Part[]>
  readonly none: Part
}

/**
 * By bucket, of the part of the window that the scope is. Buckets cut by it hold what is inside.
 * @param edges where the buckets begin. Two at one time, as around 29 February, are one without length and
 * one that has all.
 */
export async function readWithin<Part>(
  scope: Scope,
  edges: readonly number[],
  { read, none }: PartReader<Part>,
): Promise<Part[]> {
  const { span } = scope
  const places = edges.map((edge, index) => ({ edge: Math.max(edge, span.fromMs), end: edges[index + 1] ?? Infinity }))
  const isInside = ({ edge, end }: { edge: number; end: number }) => end > edge && edge < span.toMs
  const inside = [...new Set(places.filter(isInside).map(({ edge }) => edge))]
  if (inside.length === 0) return edges.map(() => none)
  const parts = await read(scope, inside)
  const byEdge = new Map(inside.map((edge, index) => [edge, parts[index] ?? none]))
  return places.map((place) => (isInside(place) && byEdge.get(place.edge)) || none)
}

const NAME = 'analytics.overview'

const figuresFrom = (facts: Facts): PartReader<Figures> => ({
  read: (scope, edges) => readParts(facts, scope, { name: NAME, edges, figures: shownFigures }),
  none: noFigures,
})

const cellsFrom = (facts: Facts): PartReader<Part> => ({
  read: (scope, edges) => readCellParts(facts, scope, { name: NAME, edges, figures: shownFigures }),
  none: noPart,
})

const openAt = ({ openFromMs }: OverviewQuestion, scope: Scope): Scope => ({ ...scope, openFromMs })
export const previousOf = (question: OverviewQuestion): Scope => openAt(question, scopeOf(question, question.previous))
export const edgesOf = ({ buckets }: OverviewQuestion): number[] => buckets.map(({ fromMs }) => fromMs)

/** @param scope of the question, or a part of it. */
export function readCurrent(facts: Facts, question: OverviewQuestion, scope: Scope): Promise<Figures[]> {
  return readWithin(openAt(question, scope), edgesOf(question), figuresFrom(facts))
}

export function readPrevious(facts: Facts, question: OverviewQuestion): Promise<Figures[]> {
  return readWithin(previousOf(question), question.previousEdges, figuresFrom(facts))
}

/**
 * Of parts that begin at these edges, ascending; the last one has no length. They lie around the window that
 * the question is compared with.
 */
export function readPreviousParts(facts: Facts, question: OverviewQuestion, edges: readonly number[]) {
  const span = { fromMs: edges[0] ?? 0, toMs: edges.at(-1) ?? 0 }
  return readWithin({ ...previousOf(question), span }, edges, figuresFrom(facts))
}

/** Both windows as a share link is shown them. */
export async function readShared(
  facts: Facts,
  question: OverviewQuestion,
): Promise<Record<'current' | 'previous', ShownParts>> {
  const [current, previous] = await Promise.all([
    readWithin(openAt(question, scopeOf(question)), edgesOf(question), cellsFrom(facts)),
    readWithin(previousOf(question), question.previousEdges, cellsFrom(facts)),
  ])
  return { current: shownParts(current), previous: shownParts(previous) }
}

/** Of two parts of one window, bucket by bucket. */
export function addParts(one: readonly Figures[], other: readonly Figures[]): Figures[] {
  return one.map((figures, index) => sumOf([figures, other[index] ?? noFigures]))
}

// ---------------------------------------------------------------- cards and series

export function cardsOf({ current: now, previous: before }: { readonly current: Figures; readonly previous: Figures }) {
  return shownMetricIds.map((id) => ({
    id,
    label: shownMetrics[id].label,
    format: shownMetrics[id].format,
    is_reverse: shownMetrics[id].isReverse,
    definition: shownMetrics[id].definition,
    ...summaryEntry(id, now, before.sessions > 0 ? before : undefined),
    ...knownOf(id, now, before),
  }))
}

/** Over the sessions of which the metric is known: there only where it may be unknown. */
function knownOf(id: ShownMetricId, now: Figures, before: Figures) {
  if (!isKnownMetric(id)) return {}
  const current = knownValue(id, now, metricValue)
  const previous = knownValue(id, before, metricValue)
  return {
    known: {
      sessions: current.sessions,
      current: current.value,
      previous_sessions: previous.sessions,
      previous: previous.value,
    },
  }
}

const knownSeries = (parts: readonly Figures[]) =>
  byName(knownMetricIds, (id) => {
    const known = parts.map((figures) => knownValue(id, figures, graphValue))
    return { sessions: known.map(({ sessions }) => sessions), values: known.map(({ value }) => value) }
  })

const perMetric = <Value>(of: (id: ShownMetricId) => Value) => byName(shownMetricIds, of)

/** Those that are sums, and so can be extrapolated. */
const summed: ReadonlySet<ShownMetricId> = new Set(['sessions', 'visits', 'views', 'value'])

const seconds = (timeMs: number): number => Math.floor(timeMs / 1000)

/**
 * @param nowMs a bucket that begins later is not there yet: its values are null.
 * @param growth of the running bucket, to its full length; null where that is not known.
 */
export function seriesOf(
  { buckets }: OverviewQuestion,
  { current, previous }: WindowFigures,
  { nowMs, growth }: { readonly nowMs: number; readonly growth: number | null },
) {
  const running = current.at(-1)
  const hasPrevious = sumOf(previous).sessions > 0
  const beside = previous.slice(0, buckets.length)
  const project = (id: ShownMetricId): number | null =>
    growth === null || !running || !summed.has(id) ? null : Math.round(graphValue(id, running) * growth)
  return {
    buckets: buckets.map(({ label, fromMs, toMs, fullToMs }) => ({
      label,
      from_ts: seconds(fromMs),
      to_ts: seconds(toMs),
      is_running: fromMs <= nowMs && nowMs < fullToMs,
    })),
    current: perMetric((id) =>
      current.map((figures, index) => ((buckets[index]?.fromMs ?? 0) > nowMs ? null : graphValue(id, figures))),
    ),
    known: knownSeries(current),
    previous: hasPrevious ? perMetric((id) => beside.map((figures) => graphValue(id, figures))) : null,
    previous_known: hasPrevious ? knownSeries(beside) : null,
    projected: perMetric(project),
  }
}
