// The metrics and the lists that the service has, in the order in which they are offered.
import { dimensionIds, type ListId, listIds as known } from '../../server/analytics/dimensions.ts'
import type { ShownMetricId as MetricId } from '../../server/analytics/metrics.ts'

export type { ListId, MetricId }
export const metricIds = [
  'sessions',
  'visits',
  'views',
  'views_session',
  'bounce',
  'duration',
  'scroll',
  'cost',
  'value',
] as const satisfies readonly MetricId[]

/** In the order in which they are offered; those of the overview come first. */
export const listIds: readonly ListId[] = [
  ...new Set<ListId>(['channel', 'source', ...dimensionIds, 'hostname', 'utm_campaign', ...known]),
]
