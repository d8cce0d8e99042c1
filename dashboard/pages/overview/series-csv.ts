// The graph as a file: one line a bucket, one column a metric. Figures and times only, so that no cell can be a formula.
import type { Overview } from '../../api/overview.ts'
import { metricIds } from '../../api/overview-ids.ts'

export function seriesCsv({ series }: Pick<Overview, 'series'>): string {
  const { buckets, current, previous } = series
  const head = ['from_utc', 'to_utc', ...metricIds, ...(previous ? metricIds.map((id) => `previous_${id}`) : [])]
  const time = (ts: number): string => new Date(ts * 1000).toISOString()
  const lines = buckets.map(({ from_ts, to_ts }, index) => [
    time(from_ts),
    time(to_ts),
    ...metricIds.map((id) => current[id][index] ?? ''),
    ...(previous ? metricIds.map((id) => previous[id][index] ?? '') : []),
  ])
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}
