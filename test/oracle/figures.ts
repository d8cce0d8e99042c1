// The oracle's second half: figures over described sessions, by docs/definitions.md ("Summary", "Top lists",
// "Graph", "Live").
import { type Clause, holds } from './clauses.ts'
import { anything, isRecord, isRounded, rounded, type Check } from './compare.ts'
import { type Cost, costOf } from './costs.ts'
import { dimensions, dimensionTable } from './dimensions.ts'
import type { Described } from './fold.ts'
import {
  acceptedIntervals,
  besideOf,
  bucketsOf,
  endOfNow,
  liveBuckets,
  precedingOf,
  windowOf,
  type Asked,
  type Bucket,
  type Interval,
  type Span,
} from './windows.ts'

type Sessions = readonly Described[]

const sumOf = (sessions: Sessions, figure: (session: Described) => number) =>
  sessions.reduce((total, session) => total + figure(session), 0)
const mean = (numbers: readonly number[]) => (numbers.length ? numbers.reduce((a, b) => a + b, 0) / numbers.length : 0)

export const within = (sessions: Sessions, span: Span) =>
  sessions.filter((session) => session.entryAt >= span.from && session.entryAt < span.to)

// ---------------------------------------------------------------- metrics

interface Metric {
  readonly decimals: number
  readonly lowerIsBetter: boolean
  readonly of: (sessions: Sessions) => number
}

const viewsPerSession = (sessions: Sessions) =>
  sessions.length ? sumOf(sessions, (each) => each.views) / sessions.length : 0
const bounce = (sessions: Sessions) => mean(sessions.map((each) => Number(each.bounced)))
const duration = (sessions: Sessions) => mean(sessions.map((each) => each.seconds))
const scroll = (sessions: Sessions) => mean(sessions.flatMap((each) => each.scroll ?? []))

const summaryMetrics: Record<string, Metric> = {
  sessions: { decimals: 0, lowerIsBetter: false, of: (sessions) => sessions.length },
  views: { decimals: 0, lowerIsBetter: false, of: (sessions) => sumOf(sessions, (each) => each.views) },
  views_session: { decimals: 2, lowerIsBetter: false, of: viewsPerSession },
  bounce: { decimals: 4, lowerIsBetter: true, of: bounce },
  duration: { decimals: 0, lowerIsBetter: false, of: duration },
  scroll: { decimals: 0, lowerIsBetter: false, of: scroll },
  // It belongs to no session.
  cost: { decimals: 0, lowerIsBetter: true, of: () => 0 },
  value: { decimals: 0, lowerIsBetter: false, of: (sessions) => sumOf(sessions, (each) => each.amountUsd) },
}

const unknown = { previous: null, difference: null, percent: null, percent_abs: null, trend: null, trend_color: 'base' }

function colour(difference: number, metric: Metric): string {
  if (difference === 0) return 'base'
  return difference > 0 === metric.lowerIsBetter ? 'danger' : 'success'
}

/**
 * Current and previous are held to the sessions, the comparison to the current and previous that are shown.
 */
function comparison(metric: Metric): Check {
  return (got) => {
    if (!isRecord(got)) return 'an entry'
    const { current, previous, difference, percent, percent_abs: absolute } = got
    if (typeof current !== 'number' || typeof previous !== 'number') return 'numbers'
    const change = current - previous
    if (!isRounded(difference, change, metric.decimals)) return `difference ${change}`
    if (previous === 0 && percent !== (current === 0 ? 0 : null)) return `percent ${current === 0 ? 0 : null}`
    if (previous !== 0 && !isRounded(percent, Number(difference) / previous, 4)) return `percent ${change / previous}`
    if (absolute !== (typeof percent === 'number' ? Math.abs(percent) : null))
      return `percent_abs of ${String(percent)}`
    const steady = Number(difference)
    const trend = steady === 0 ? 'flat' : steady > 0 ? 'up' : 'down'
    if (got['trend'] !== trend) return `trend ${trend}`
    return got['trend_color'] === colour(steady, metric) ? undefined : `trend_color ${colour(steady, metric)}`
  }
}

/** A window's sessions, and what advertising cost in it. */
interface Part {
  readonly sessions: Sessions
  readonly cost: number | undefined
}

function summaryOf(current: Part, { sessions: before, cost: costBefore }: Part): unknown[] {
  const figure = (key: string, metric: Metric, { sessions, cost }: Part) => {
    if (key !== 'cost') return rounded(metric.of(sessions), metric.decimals)
    return cost === undefined ? anything : rounded(cost, metric.decimals)
  }
  const previous = { sessions: before, cost: costBefore }
  const entry = (key: string, metric: Metric) =>
    before.length
      ? { current: figure(key, metric, current), previous: figure(key, metric, previous) }
      : { current: figure(key, metric, current), ...unknown }
  const figures = Object.fromEntries(Object.entries(summaryMetrics).map(([key, metric]) => [key, entry(key, metric)]))
  const compared = Object.fromEntries(Object.entries(summaryMetrics).map(([key, metric]) => [key, comparison(metric)]))
  return before.length ? [figures, compared] : [figures]
}

// ---------------------------------------------------------------- top lists

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

interface Ranked {
  readonly id: string
  readonly country: string
  readonly value: number
}

/** The largest first; equal ones in the order of the value, then of the country. */
export const rowOrder = (a: Ranked, b: Ranked): number =>
  b.value - a.value || byCodePoint(a.id, b.id) || byCodePoint(a.country, b.country)

/** Counts by value, largest first; equal counts in the order of the value, then of the country. */
function ranking(
  sessions: Sessions,
  valueOf: (session: Described) => string,
  countryOf: (session: Described) => string = () => '',
) {
  const counts = new Map<string, { id: string; country: string; value: number }>()
  for (const session of sessions) {
    const id = valueOf(session)
    if (id === '') continue
    const key = JSON.stringify([id, countryOf(session)])
    const row = counts.get(key) ?? { id, country: countryOf(session), value: 0 }
    row.value++
    counts.set(key, row)
  }
  return [...counts.values()].sort(rowOrder)
}

function topList(sessions: Sessions, id: string): unknown {
  const countryOf = (session: Described) =>
    dimensionTable[id]?.isOfCountry ? (session.texts['country_code'] ?? '') : ''
  const rows = ranking(sessions, (session) => session.texts[id] ?? '', countryOf).slice(0, 10)
  const total = rows.reduce((sum, row) => sum + row.value, 0)
  return {
    data: rows.map((row, index) => ({
      id: row.id,
      value: row.value,
      order: index + 1,
      percent: rounded(row.value / total, 4),
      country_code: row.country === '' ? anything : row.country,
    })),
  }
}

/** An object of counts with exactly these keys; zeros may be left out. */
function counted(rows: readonly { id: string; value: number }[]): Check {
  const byId = (left: readonly [string, unknown], right: readonly [string, unknown]) => (left[0] < right[0] ? -1 : 1)
  const expected = JSON.stringify(rows.map((row): [string, number] => [row.id, row.value]).toSorted(byId))
  return (got) => {
    if (!isRecord(got)) return 'an object'
    const shown = Object.entries(got).filter(([, count]) => count !== 0)
    return JSON.stringify(shown.toSorted(byId)) === expected ? undefined : expected
  }
}

const primarySubtag = (session: Described) => (session.texts['language'] ?? '').split('-')[0]?.toUpperCase() ?? ''

/** What there is to count, at a moment. */
export interface Known {
  readonly sessions: Sessions
  readonly costs: readonly Cost[]
  readonly now: number
}

export function metricsAnswer(
  { sessions: all, costs, now }: Known,
  asked: Asked,
  clauses: readonly Clause[],
): unknown[] {
  const window = windowOf(asked, now)
  const matching = all.filter((session) => holds(session, clauses))
  const current = within(matching, window)
  const before = precedingOf(window)
  const previous = within(matching, before)
  const partOf = (sessions: Sessions, span: Span) => ({
    sessions,
    cost: costOf(costs, clauses, { ...span, zone: window.zone }),
  })
  const lists = {
    period_top_dimensions: {
      count: current.length,
      dimensions: Object.fromEntries(dimensions.map((id) => [id, topList(current, id)])),
      deviceSizes: counted(ranking(current, (session) => session.texts['device'] ?? '')),
    },
    period_country_lang: {
      countries: counted(ranking(current, (session) => session.texts['country_code'] ?? '').slice(0, 300)),
      languages: counted(ranking(current, primarySubtag).slice(0, 12)),
    },
  }
  return [
    { analytics: { period_metrics: { can_compare: previous.length > 0 }, ...lists } },
    ...summaryOf(partOf(current, window), partOf(previous, before)).map((summary) => ({
      analytics: { period_metrics: { summary } },
    })),
  ]
}

// ---------------------------------------------------------------- graph and live

/** A list for pickers offers exactly these, in any order. */
function sameIds(ids: readonly string[]): Check {
  const expected = JSON.stringify(ids.toSorted((left, right) => (left < right ? -1 : 1)))
  return (got) => {
    const offered = Array.isArray(got) ? got.filter(isRecord).map((item) => item['id']) : []
    return JSON.stringify(offered.map(String).toSorted((left, right) => (left < right ? -1 : 1))) === expected
      ? undefined
      : expected
  }
}

export const graphMetrics = ['sessions', 'views', 'views_session', 'bounce', 'duration', 'scroll'] as const
export type GraphMetric = (typeof graphMetrics)[number]

const graphFigures: Record<GraphMetric, { decimals: number; of: (sessions: Sessions) => number }> = {
  sessions: { decimals: 0, of: (sessions) => sessions.length },
  views: { decimals: 0, of: (sessions) => sumOf(sessions, (each) => each.views) },
  views_session: { decimals: 3, of: viewsPerSession },
  bounce: { decimals: 3, of: (sessions) => 100 * bounce(sessions) },
  duration: { decimals: 0, of: duration },
  scroll: { decimals: 0, of: scroll },
}

const graphValue = (metric: GraphMetric, sessions: Sessions) =>
  rounded(graphFigures[metric].of(sessions), graphFigures[metric].decimals)

/** Two points while a bucket of a summed metric runs, and one before it is complete; otherwise none. */
function projection(matching: Sessions, buckets: readonly Bucket[], metric: GraphMetric, now: number): unknown[] {
  if (metric !== 'sessions' && metric !== 'views') return []
  const last = buckets.find(({ from, to }) => from < now && to >= now)
  const complete = buckets.find(({ to }) => to === last?.from)
  if (!last || !complete) return []
  const full = last.fullTo - last.from
  const elapsed = now - last.from
  if (last.fullTo <= now || elapsed < 0.02 * full) return []
  const value = (bucket: Bucket) => graphFigures[metric].of(within(matching, bucket))
  return [
    { label: complete.label, value: value(complete) },
    { label: last.label, value: rounded((value(last) * full) / elapsed, 0) },
  ]
}

export interface GraphQuestion {
  readonly metric: GraphMetric
  readonly interval?: Interval
  readonly compare: boolean
}

export function graphAnswer(
  all: Sessions,
  asked: Asked,
  clauses: readonly Clause[],
  question: GraphQuestion,
  now: number,
): unknown[] {
  const window = windowOf(asked, now)
  const matching = all.filter((session) => holds(session, clauses))
  const interval = question.interval ?? acceptedIntervals(window)[0] ?? 'day'
  const buckets = bucketsOf(window, interval)
  const point = ({ label }: Bucket, span: Span) => ({
    label,
    value: graphValue(question.metric, within(matching, span)),
  })
  const beside = ({ from, to }: Bucket): Span => ({ from: besideOf(window, from), to: besideOf(window, to) })
  const graph = {
    metric: question.metric,
    series: buckets.map((bucket) => point(bucket, bucket)),
    previousSeries: question.compare ? buckets.map((bucket) => point(bucket, beside(bucket))) : [],
    projectedSeries: projection(matching, buckets, question.metric, endOfNow(now)),
  }
  return [{ graph, inputs: { interval }, options: { intervals: sameIds(acceptedIntervals(window)) } }]
}

export function liveAnswer(all: Sessions, clauses: readonly Clause[], metric: GraphMetric, now: number): unknown[] {
  const matching = all.filter((session) => holds(session, clauses))
  const point = (bucket: Bucket) => {
    const loads = (session: Described) => session.loads.filter((at) => at >= bucket.from && at < bucket.to).length
    const present = matching.filter((session) => loads(session) > 0)
    const views = sumOf(present, loads)
    const counts: Partial<Record<GraphMetric, number>> = {
      views,
      views_session: present.length ? views / present.length : 0,
    }
    const value = counts[metric]
    return {
      label: bucket.label,
      value: value === undefined ? graphValue(metric, present) : rounded(value, graphFigures[metric].decimals),
    }
  }
  return [{ graph: { metric, series: liveBuckets(now).map(point) } }]
}
