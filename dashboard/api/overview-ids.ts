// The metrics and the lists that the service has, in the order in which they are offered.
import { dimensionIds, type ListId, listIds as known } from '../../server/analytics/dimensions.ts'
import type { ShownMetricId } from '../../server/analytics/metrics.ts'
import type { PageMetricId } from '../../server/lists/page-facts.ts'
import type { CostMetricId, GoalMetricId, RowMetricId } from '../../server/lists/row-metrics.ts'

export type { GoalMetricId, ListId, RowMetricId }
/** Those of a goal are there when one is chosen, those of costs when some are recorded. */
export type MetricId = ShownMetricId | GoalMetricId | CostMetricId
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
] as const satisfies readonly ShownMetricId[]

export const goalMetricIds = ['conversions', 'rate', 'conversion_value'] as const satisfies readonly GoalMetricId[]
export const costMetricIds = ['cost', 'cost_per_conversion', 'return'] as const satisfies readonly CostMetricId[]
/** Those that are made of the cost. */
export const resultIds = ['cost_per_conversion', 'return'] as const satisfies readonly CostMetricId[]
/** Lists of what a cost has, too: server/analytics/spend.ts. */
export const costListIds: readonly ListId[] = ['channel', 'source', 'utm_source', 'utm_medium', 'utm_campaign']
/** What a row of a list can show of its sessions. */
export const rowMetricIds = [
  'sessions',
  'visits',
  'views',
  'bounce',
  'duration',
  'scroll',
  'value',
] as const satisfies readonly RowMetricId[]

export type { PageMetricId }
export const pageMetricIds = [
  'views',
  'visitors',
  'time',
  'scroll',
  'entries',
  'exits',
] as const satisfies readonly PageMetricId[]

/** In the order in which they are offered; those of the overview come first. */
export const listIds: readonly ListId[] = [
  ...new Set<ListId>(['channel', 'source', ...dimensionIds, 'hostname', 'utm_campaign', ...known]),
]
