// What the analytics endpoints answer (docs/api/analytics.md).
import { type TObject, Type } from 'typebox'
import {
  described,
  type JsonOf,
  MaybeNumber,
  MaybeText,
  oneOf,
  open,
  PeriodShape,
  windowShape,
} from '../http/shapes.ts'
import { byName } from '../kernel/by-name.ts'
import { intervalIds } from '../kernel/buckets.ts'
import { type Period, periods } from '../kernel/periods.ts'
import { dimensionIds } from './dimensions.ts'
import { graphMetricIds, metricFormats, metricIds } from './metrics.ts'
import { ClauseBody } from './schema.ts'
import { SessionShape } from './session-schema.ts'

const number = (description: string) => Type.Number({ description })
export const MaybeDecimal = Type.Unsafe<number | null>({ type: ['number', 'null'] })
const count = (description: string) => Type.Integer({ description })
/** Sessions by a collected value. */
const Counts = Type.Record(Type.String(), Type.Integer())

const FilterShape = Type.Object(
  {
    id: Type.String(),
    op: Type.String(),
    value: Type.Unsafe<string | readonly string[] | null>({
      type: ['string', 'array', 'null'],
      items: { type: 'string' },
    }),
    label: Type.String({ description: 'In words.' }),
  },
  open,
)

export const inputFields = {
  period: PeriodShape,
  date_from: MaybeText,
  date_to: MaybeText,
  timezone: Type.Optional(Type.String({ description: 'When one was asked for.' })),
  clauses: Type.Array(ClauseBody),
}

export const metaFields = {
  showing: windowShape.showing,
  filters: Type.Array(FilterShape),
  took_ms: number('Milliseconds of the whole question.'),
}

const optionsOf = (id: typeof PeriodShape) => Type.Array(Type.Object({ id, name: Type.String() }, open))

/** Choices for pickers. */
export const periodOptions = optionsOf(PeriodShape)

/** Of `/v2`, whose list of periods is closed. */
const publicPeriodIds = periods.map(({ id }) => id)
const PublicPeriod = oneOf<Period>(publicPeriodIds)
const publicInputs = { ...inputFields, period: PublicPeriod }
const publicPeriods = optionsOf(PublicPeriod)

export const intervalOptions = <const Id extends string>(ids: readonly Id[]) =>
  Type.Array(
    Type.Object({ id: oneOf(ids), name: Type.String(), seconds: Type.Integer(), buckets: Type.Integer() }, open),
  )

export const inputsUsed = { ...open, description: 'The inputs used.' }
const meta = Type.Object(metaFields, open)

const CatalogShape = Type.Object(
  { key: oneOf(metricIds), label: Type.String(), format: oneOf(metricFormats), is_reverse: Type.Boolean() },
  open,
)

export const comparedFields = {
  current: Type.Number(),
  previous: described(MaybeDecimal, 'Null when the preceding window has no sessions: then nothing is compared.'),
  difference: MaybeDecimal,
  percent: described(MaybeDecimal, 'A signed fraction: 0.05 is 5% more. Null when there was nothing to grow from.'),
  percent_abs: MaybeDecimal,
  trend: oneOf(['up', 'down', 'flat', null]),
  trend_color: oneOf(['success', 'danger', 'base']),
}
const SummaryShape = Type.Object(comparedFields, open)
export type SummaryJson = JsonOf<typeof SummaryShape>

const DimensionRowShape = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    value: count('Sessions.'),
    order: count('From 1.'),
    percent: number('Share of the values shown.'),
    favicon: Type.Optional(MaybeText),
    country_code: Type.Optional(Type.String()),
  },
  open,
)
export type DimensionRowJson = JsonOf<typeof DimensionRowShape>

const DimensionShape = Type.Object(
  {
    id: oneOf(dimensionIds),
    type: oneOf(['string']),
    field: Type.String({ description: 'The key of the same value in a session document.' }),
    label: Type.String(),
    description: Type.String(),
    category: Type.String(),
    data: Type.Array(DimensionRowShape),
  },
  open,
)
export type DimensionJson = JsonOf<typeof DimensionShape>

const queryMs = { query_ms: number('Milliseconds of the query.') }

export const MetricsAnswer = Type.Object(
  {
    inputs: Type.Object({ ...publicInputs, filter: Type.Unknown(), show_devices: Type.Unknown() }, inputsUsed),
    analytics: Type.Object(
      {
        period_metrics: Type.Object(
          {
            summary: Type.Object(byName(metricIds, () => SummaryShape)),
            can_compare: Type.Boolean(),
            metrics: Type.Array(CatalogShape),
            ...queryMs,
          },
          open,
        ),
        period_top_dimensions: Type.Object(
          {
            count: count('Sessions of the window.'),
            dimensions: Type.Object(byName(dimensionIds, () => DimensionShape)),
            deviceSizes: Counts,
            ...queryMs,
          },
          open,
        ),
        period_country_lang: Type.Object({ countries: Counts, languages: Counts, ...queryMs }, open),
      },
      open,
    ),
    meta,
    options: Type.Object({ periods: publicPeriods }, open),
  },
  { ...open, description: 'Summary, top lists, countries and languages.' },
)

const PointShape = Type.Object({ label: Type.String(), value: Type.Number() }, open)
export type PointJson = JsonOf<typeof PointShape>
const Points = Type.Array(PointShape)

const graphAnswer = <Asked extends string, const Interval extends string>(
  periodIds: readonly Asked[],
  intervalIds: readonly Interval[],
) =>
  Type.Object(
    {
      inputs: Type.Object(
        {
          ...inputFields,
          period: oneOf(periodIds),
          metric: oneOf(graphMetricIds),
          interval: oneOf(intervalIds),
          compare: Type.Boolean(),
        },
        inputsUsed,
      ),
      graph: Type.Object(
        {
          metric: oneOf(graphMetricIds),
          metricLabel: Type.String(),
          series: Points,
          previousSeries: Points,
          projectedSeries: Points,
          ...queryMs,
        },
        open,
      ),
      meta,
      options: Type.Object(
        {
          periods: publicPeriods,
          metrics: Type.Array(Type.Object({ id: oneOf(graphMetricIds), label: Type.String() }, open)),
          intervals: intervalOptions(intervalIds),
        },
        open,
      ),
    },
    { ...open, description: 'One metric, bucket by bucket.' },
  )

export const GraphAnswer = graphAnswer<Period, (typeof intervalIds)[number]>(publicPeriodIds, intervalIds)
export const LiveAnswer = graphAnswer(['live' as const], ['30_seconds'])

export const sessionListFields = {
  data: Type.Array(SessionShape),
  current_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  last_page: Type.Integer(),
  from: described(MaybeNumber, 'Number of the first row of the page.'),
  to: described(MaybeNumber, 'Number of the last row of the page.'),
  next_page_url: described(MaybeText, 'POST the same body there.'),
  prev_page_url: described(MaybeText, 'POST the same body there.'),
  query_ms: number('Milliseconds of the queries.'),
  inputs: Type.Object({ ...inputFields, limit: Type.Integer() }, inputsUsed),
  meta,
  options: Type.Object({ periods: periodOptions }, open),
}
export type SessionsJson = JsonOf<TObject<typeof sessionListFields>>

export const SessionsAnswer = Type.Object(
  {
    ...sessionListFields,
    inputs: Type.Object({ ...publicInputs, limit: Type.Integer() }, inputsUsed),
    options: Type.Object({ periods: publicPeriods }, open),
  },
  { ...open, description: 'Sessions, newest first.' },
)
