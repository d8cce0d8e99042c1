// The graph as a file: one line a bucket, one column a metric, empty where it is not known. Figures and times
// only, so that no cell can be a formula.
import type { Overview } from '../../api/overview.ts'
import { goalMetricIds, metricIds as ownIds, resultIds } from '../../api/overview-ids.ts'
import { knownValues } from './known.ts'

export function seriesCsv({ series, meta }: Pick<Overview, 'series' | 'meta'>): string {
  const { buckets, current, known, previous, previous_known } = series
  const metricIds = [...ownIds, ...[...goalMetricIds, ...resultIds].filter((id) => current[id] !== undefined)]
  const now = metricIds.map((id) => knownValues(id, current, known))
  const before = previous ? metricIds.map((id) => knownValues(id, previous, previous_known)) : []
  const head = [
    'from_utc',
    'to_utc',
    ...metricIds,
    ...(previous ? metricIds.map((id) => `previous_${id}`) : []),
    'currency',
  ]
  const time = (ts: number): string => new Date(ts * 1000).toISOString()
  const lines = buckets.map(({ from_ts, to_ts }, index) => [
    time(from_ts),
    time(to_ts),
    ...[...now, ...before].map((values) => values[index] ?? ''),
    meta.currency,
  ])
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}
