// One metric cut into buckets: over a window, with the preceding one and a projection beside it, or over the
// last five minutes.
import { invalid } from '../kernel/problem.ts'
import {
  acceptedIntervals,
  type Bucket,
  bucketsOf,
  type Interval,
  intervals,
  parseInterval,
} from '../kernel/buckets.ts'
import { periods } from '../kernel/periods.ts'
import { endOfNow, precedingSpan, sameDistance, type Window } from '../kernel/window.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  type AskedProperty,
  inputsOf,
  metaOf,
  parseInput,
  type Question,
  scopeOf,
  stopwatch,
  timed,
} from './question.ts'
import { parseClauses } from './clauses.ts'
import { readParts, type Scope } from './facts.ts'
import { readLive } from './live-facts.ts'
import {
  type FigureName,
  type Figures,
  type GraphMetricId,
  graphMetricChoices,
  graphMetricIds,
  graphValue,
  metrics,
} from './metrics.ts'
import type { PointJson } from './answer-schema.ts'
import { versionOf } from './answers.ts'
import { ageOf, type CachedDeps, keyOf } from './window-parts.ts'
import { notShared, type Shared } from '../shared-figures/shared.ts'
import { shownParts } from '../shared-figures/cells.ts'
import { readCellParts, readLiveParts } from '../shared-figures/facts.ts'

export interface GraphInput extends AnalyticsInput {
  readonly metric?: string | null | undefined
  readonly interval?: string | null | undefined
  readonly compare?: boolean | null | undefined
}

interface Series {
  series: PointJson[]
  previousSeries: PointJson[]
  projectedSeries: PointJson[]
}

const DEFAULT_METRIC: GraphMetricId = 'sessions'

function parseMetric(metric: string | null | undefined): GraphMetricId {
  const found = graphMetricIds.find((id) => id === (metric ?? DEFAULT_METRIC))
  if (!found) throw invalid('metric', `metric must be one of ${graphMetricIds.join(', ')}.`)
  return found
}

export async function answerGraph(
  deps: AnalyticsDeps & CachedDeps,
  property: AskedProperty,
  ask: GraphInput,
  { isShared }: Shared = notShared,
) {
  const elapsed = stopwatch()
  const askedMs = deps.now()
  const question = parseInput({ now: () => askedMs }, property, ask)
  const { window } = question
  const metric = parseMetric(ask.metric)
  const interval = parseInterval(ask.interval, window)
  const compare = ask.compare ?? false
  const buckets = bucketsOf(window, interval)
  const preceding = precedingSpan(window)
  const previousEdges = compare ? buckets.map(({ fromMs }) => sameDistance(window, fromMs, preceding)) : []
  const scope = scopeOf(question, compare ? { fromMs: preceding.fromMs, toMs: window.toMs } : window)
  const edges = [...previousEdges, ...buckets.map((bucket) => bucket.fromMs)]
  const query = { edges, metric, interval, from: previousEdges.length }
  const { result: parts, query_ms } = await timed(
    isShared ? readSharedSeries(deps, scope, query) : cachedSeries(deps, question, scope, query),
  )
  const series = points(metric, buckets, parts.current)
  return {
    inputs: { ...inputsOf(question, ask), metric, interval, compare },
    graph: graphOf(metric, query_ms, {
      series,
      previousSeries: compare ? points(metric, buckets, parts.previous) : [],
      projectedSeries: project(metric, buckets, series, endOfNow(askedMs)),
    }),
    meta: metaOf(window.showing, question.clauses, elapsed),
    options: { periods, metrics: graphMetricChoices, intervals: intervalChoices(window) },
  }
}

/**
 * Where buckets begin, and from which of them on they are those of the window and no longer of the preceding
 * one.
 */
interface SeriesQuery {
  readonly edges: readonly number[]
  readonly from: number
  readonly metric: GraphMetricId
  readonly interval: Interval
}

interface ReadSeries {
  readonly previous: readonly Figures[]
  readonly current: readonly Figures[]
}

async function readSeries(
  { facts }: AnalyticsDeps,
  scope: Scope,
  { edges, from, metric }: SeriesQuery,
): Promise<ReadSeries> {
  const parts = await readParts(facts, scope, { name: 'analytics.graph', edges, figures: metrics[metric].needs })
  return { previous: parts.slice(0, from), current: parts.slice(from) }
}

/** Cached until anything is written, as the overview is. */
async function cachedSeries(
  deps: AnalyticsDeps & CachedDeps,
  question: Question,
  scope: Scope,
  query: SeriesQuery,
): Promise<ReadSeries> {
  const { propertyId, window } = question
  const version = await versionOf(deps.facts, propertyId, window)
  const key = ['graph', metrics[query.metric].needs, query.interval, query.from, ...keyOf(question)]
  const ask = { propertyId, key, maxAgeMs: ageOf(deps, window) }
  return (await deps.answers.get(version, ask, () => readSeries(deps, scope, query))).answer
}

/** For a share link: each window as if it were the only one. */
async function readSharedSeries(
  { facts }: AnalyticsDeps,
  scope: Scope,
  { edges, from, metric }: SeriesQuery,
): Promise<ReadSeries> {
  const parts = await readCellParts(facts, scope, { name: 'analytics.graph', edges, figures: figuresFor(metric) })
  return { previous: shownParts(parts.slice(0, from)).parts, current: shownParts(parts.slice(from)).parts }
}

/** Sessions decide which buckets are left out first. */
const figuresFor = (metric: GraphMetricId): readonly FigureName[] => [
  ...new Set<FigureName>(['sessions', ...metrics[metric].needs]),
]

function graphOf(metric: GraphMetricId, query_ms: number, series: Series) {
  return { metric, metricLabel: metrics[metric].label, ...series, query_ms }
}

function points(metric: GraphMetricId, buckets: readonly Bucket[], figures: readonly Figures[]): PointJson[] {
  return buckets.flatMap(({ label }, index) => {
    const own = figures[index]
    return own ? [{ label, value: graphValue(metric, own) }] : []
  })
}

export function intervalChoices(window: Window) {
  return acceptedIntervals(window).intervals.map((id: Interval) => ({
    id,
    name: intervals[id].name,
    seconds: intervals[id].seconds,
    buckets: bucketsOf(window, id).length,
  }))
}

/** Only what is summed can be extrapolated. */
const projected: ReadonlySet<GraphMetricId> = new Set(['sessions', 'views'])
/** Earlier than this a few early sessions would promise a record day. */
const LEAST_ELAPSED_SHARE = 0.02

/** The bucket that now lies in, how much of it has passed, and how long it will be in full. */
interface Running {
  readonly index: number
  readonly elapsedMs: number
  readonly fullMs: number
}

/**
 * Undefined when nothing can be extrapolated.
 * @param nowMs the end of a window that ends now; a custom one may go on behind it.
 */
function runningShare(buckets: readonly Bucket[], nowMs: number): Running | undefined {
  const index = buckets.findIndex(({ fromMs, toMs }) => fromMs < nowMs && nowMs <= toMs)
  const running = buckets[index]
  if (!running || index === 0) return undefined
  const elapsedMs = nowMs - running.fromMs
  const fullMs = running.fullToMs - running.fromMs
  if (running.fullToMs <= nowMs || elapsedMs / fullMs < LEAST_ELAPSED_SHARE) return undefined
  return { index, elapsedMs, fullMs }
}

/** Two points, the last complete bucket and the running one at full length; none when nothing can be said. */
export function project(
  metric: GraphMetricId,
  buckets: readonly Bucket[],
  series: readonly PointJson[],
  nowMs: number,
): PointJson[] {
  const share = runningShare(buckets, nowMs)
  if (!projected.has(metric) || !share) return []
  const [complete, current] = series.slice(share.index - 1, share.index + 1)
  if (!complete || !current) return []
  return [complete, { label: current.label, value: Math.round((current.value * share.fullMs) / share.elapsedMs) }]
}

// ---------------------------------------------------------------- live

const LIVE_BUCKETS = 10
const LIVE_BUCKET_MS = 30_000
const LIVE_SHOWING = 'Live - last 5 minutes'
const liveInterval = {
  id: '30_seconds',
  name: '30 Seconds',
  seconds: LIVE_BUCKET_MS / 1000,
  buckets: LIVE_BUCKETS,
} as const

export function liveBuckets(nowMs: number): Bucket[] {
  const beginMs = endOfNow(nowMs) - LIVE_BUCKETS * LIVE_BUCKET_MS
  return Array.from({ length: LIVE_BUCKETS }, (_, index) => {
    const fromMs = beginMs + index * LIVE_BUCKET_MS
    const toMs = fromMs + LIVE_BUCKET_MS
    return { fromMs, toMs, fullToMs: toMs, label: new Date(fromMs).toISOString().slice(11, 19) }
  })
}

async function readSharedLive(
  { facts }: AnalyticsDeps,
  scope: Omit<Scope, 'span'>,
  buckets: readonly Bucket[],
  metric: GraphMetricId,
): Promise<readonly Figures[]> {
  return shownParts(await readLiveParts(facts, scope, buckets, figuresFor(metric))).parts
}

export async function answerLive(
  deps: AnalyticsDeps,
  property: AskedProperty,
  ask: Pick<GraphInput, 'metric' | 'clauses' | 'goals'>,
  { isShared }: Shared = notShared,
) {
  const elapsed = stopwatch()
  const metric = parseMetric(ask.metric)
  const clauses = parseClauses(ask.clauses ?? [], ask.goals)
  const buckets = liveBuckets(deps.now())
  const scope = { propertyId: property.id, clauses }
  const { result: figures, query_ms } = await timed(
    isShared
      ? readSharedLive(deps, scope, buckets, metric)
      : readLive(deps.facts, scope, buckets, metrics[metric].needs),
  )
  return {
    inputs: {
      period: 'live' as const,
      date_from: null,
      date_to: null,
      clauses: ask.clauses ?? [],
      metric,
      interval: liveInterval.id,
      compare: false,
    },
    graph: graphOf(metric, query_ms, {
      series: points(metric, buckets, figures),
      previousSeries: [],
      projectedSeries: [],
    }),
    meta: metaOf(LIVE_SHOWING, clauses, elapsed),
    options: { periods, metrics: graphMetricChoices, intervals: [liveInterval] },
  }
}
