// The metrics and the lists that the service has, in the order in which they are offered.
import type { ListId } from '../../server/lists/rows.ts'
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

/** Every list that the service has; the first thirteen come with the overview. */
export const listIds = [
  'channel',
  'source',
  'referrer_domain',
  'entry_path_full',
  'exit_path_full',
  'country',
  'region',
  'city',
  'timezone',
  'browser',
  'os',
  'device',
  'language',
  'hostname',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'tag',
  'event_name',
] as const satisfies readonly ListId[]
