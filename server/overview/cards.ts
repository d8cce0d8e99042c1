// Nine cards and nine series beside the window that they are compared with, by the definitions of `metrics`
// and `graph`: all of them made of the figures of the buckets.
import { byName } from '../kernel/by-name.ts'
import {
  type Figures,
  graphValue,
  isKnownMetric,
  knownMetricIds,
  knownValue,
  metricValue,
  shownMetricIds,
  type ShownMetricId,
  shownMetrics,
  sumOf,
  summaryEntry,
} from '../analytics/metrics.ts'
import type { OverviewQuestion } from './question.ts'
import type { WindowFigures } from './figures.ts'

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
