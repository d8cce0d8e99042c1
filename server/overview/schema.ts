// What the overview takes and answers, for the check and for the documentation.
import { type TObject, type TSchema, Type } from 'typebox'
import {
  comparedFields,
  inputFields,
  inputsUsed,
  intervalOptions,
  metaFields,
  periodOptions,
} from '../analytics/answer-schema.ts'
import { annotationFields } from '../annotations/schema.ts'
import { ListRowShape } from '../lists/schema.ts'
import { dimensionIds } from '../analytics/dimensions.ts'
import { knownMetricIds, metricFormats, shownMetricIds } from '../analytics/metrics.ts'
import { compareWays } from './question.ts'
import { goalFields, windowFields } from '../analytics/schema.ts'
import { attributions } from '../analytics/credit-sql.ts'
import { goalMetricIds, resultIds } from '../lists/row-metrics.ts'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'
import { byName } from '../kernel/by-name.ts'
import { intervalIds } from '../kernel/buckets.ts'

const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))

export const OverviewBody = Type.Object({
  ...windowFields,
  interval: text(
    '`hour`, `day`, `week`, `month`, `year`, as the length of the window accepts. Default: by that length.',
  ),
  compare: text(`What the window is compared with, one of ${compareWays.join(', ')}. Default: preceding.`),
  compare_from: text('YYYY-MM-DD, when `compare` is `custom`: the start of that day.'),
  compare_to: text('YYYY-MM-DD, when `compare` is `custom`: the end of that day.'),
  ...goalFields,
})

const MaybeDecimal = comparedFields.percent_abs
const Values = Type.Array(MaybeDecimal)
const perMetric = <Shape extends TSchema>(shape: Shape) => Type.Object(byName(shownMetricIds, () => shape))
const count = Type.Integer()

const CardShape = Type.Object(
  {
    id: oneOf(shownMetricIds),
    label: Type.String(),
    format: oneOf(metricFormats),
    is_reverse: Type.Boolean({ description: 'Less is better.' }),
    definition: Type.String(),
    ...comparedFields,
    known: Type.Optional(
      Type.Object(
        { sessions: count, current: MaybeDecimal, previous_sessions: count, previous: MaybeDecimal },
        {
          ...open,
          description: 'Over the sessions of which it is known, null when it is of none; left out where it is of all.',
        },
      ),
    ),
  },
  open,
)
export type CardJson = JsonOf<typeof CardShape>

const BucketShape = Type.Object(
  { label: Type.String(), from_ts: Type.Integer(), to_ts: Type.Integer(), is_running: Type.Boolean() },
  open,
)

const PerMetric = perMetric(Values)
const KnownSeries = Type.Object(
  byName(knownMetricIds, () => Type.Object({ sessions: Type.Array(count), values: Values }, open)),
)

const SeriesShape = Type.Object(
  {
    buckets: Type.Array(BucketShape),
    current: described(PerMetric, 'Null in buckets that are not there yet.'),
    known: described(KnownSeries, 'Over the sessions of each bucket of which the metric is known.'),
    previous: described(orNull(PerMetric), 'Null when the window that it is compared with has no sessions.'),
    previous_known: orNull(KnownSeries),
    projected: described(perMetric(MaybeDecimal), 'The running bucket at its full length.'),
  },
  open,
)
export type SeriesJson = JsonOf<typeof SeriesShape>

const GoalValues = Type.Object(byName(goalMetricIds, () => Values))

const GoalShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    attribution: oneOf(attributions),
    cards: Type.Array(
      Type.Object(
        {
          id: oneOf(goalMetricIds),
          label: Type.String(),
          format: oneOf(metricFormats),
          is_reverse: Type.Boolean(),
          definition: Type.String(),
          ...comparedFields,
        },
        open,
      ),
      { description: '`conversion_value` where the goal brings money.' },
    ),
    series: Type.Object(
      {
        current: described(GoalValues, 'As `series.current`; `rate` in percent, null without a session.'),
        previous: orNull(GoalValues),
      },
      open,
    ),
  },
  { ...open, description: 'Only if requested. The rows of `lists` then have its metrics in `metrics`.' },
)

const ResultValues = Type.Object(byName(resultIds, () => Values))

const CostsShape = Type.Object(
  {
    cards: Type.Array(
      Type.Object(
        {
          id: oneOf(resultIds),
          label: Type.String(),
          format: oneOf(metricFormats),
          is_reverse: Type.Boolean(),
          definition: Type.String(),
          ...comparedFields,
          current: MaybeDecimal,
        },
        open,
      ),
      { description: '`cost_per_conversion` with a goal.' },
    ),
    series: Type.Object({ current: ResultValues, previous: orNull(ResultValues) }, open),
  },
  {
    ...open,
    description: 'Where costs are recorded and filters are by nothing else: what came of the card `cost`.',
  },
)

const ListShape = Type.Object(
  { label: Type.String(), category: Type.String(), total: count, rows: Type.Array(ListRowShape) },
  open,
)

const named = { id: Type.String(), name: Type.String() }
const keyed = { ...named, key: Type.String() }
const MaybeRate = described(MaybeDecimal, 'Null of none.')

const linkFigures = {
  short_url: Type.String(),
  clicks: count,
  sessions: count,
  visits: Type.Optional(
    Type.Integer({ description: 'Visits that began through it, of whatever sessions; not for share links.' }),
  ),
}

const OutcomesShape = Type.Object(
  {
    events: Type.Array(Type.Object({ name: Type.String(), count, sessions: count, value_cents: count }, open)),
    conversions: Type.Array(Type.Object({ ...named, count, sessions: count, rate: Type.Number() }, open)),
    forms: Type.Array(Type.Object({ ...keyed, sessions: count, submissions: count, rate: MaybeRate }, open)),
    links: Type.Array(Type.Object({ ...named, ...linkFigures }, open)),
    content: Type.Array(Type.Object({ ...keyed, views: count, clicks: count, rate: MaybeRate }, open)),
  },
  { ...open, description: 'Ten each.' },
)
export type OutcomesJson = JsonOf<typeof OutcomesShape>

const interval = oneOf(intervalIds)
const comparedDates = { compare_from: Type.Optional(MaybeText), compare_to: Type.Optional(MaybeText) }
const WindowShape = Type.Object({ from_ts: Type.Integer(), to_ts: Type.Integer() }, open)

export const overviewFields = {
  inputs: Type.Object({ ...inputFields, interval, compare: oneOf(compareWays), ...comparedDates }, inputsUsed),
  meta: Type.Object(
    {
      ...metaFields,
      previous_showing: Type.String(),
      timezone: Type.String({ description: 'By whose clock the buckets are told.' }),
      currency: Type.String({ description: 'ISO 4217: of all money, which is in its minor units.' }),
      is_cached: Type.Boolean(),
      first_view_ts: described(MaybeNumber, 'Null before the first one.'),
      is_empty_property: Type.Boolean(),
    },
    open,
  ),
  window: WindowShape,
  previous_window: described(WindowShape, 'What it is compared with.'),
  options: Type.Object({ periods: periodOptions, intervals: intervalOptions(intervalIds) }, open),
  live: Type.Integer({ description: 'Sessions of the last five minutes.' }),
  cards: Type.Array(CardShape, { description: 'The metrics of the window beside those of the other one.' }),
  series: SeriesShape,
  goal: Type.Optional(GoalShape),
  costs: Type.Optional(CostsShape),
  lists: Type.Object(
    byName(dimensionIds, () => ListShape),
    { description: 'Ten values of each dimension.' },
  ),
  countries: Type.Record(Type.String(), count, { description: 'Sessions by ISO 3166 alpha-2.' }),
  outcomes: OutcomesShape,
  annotations: Type.Array(Type.Object(annotationFields, open)),
}
export type OverviewJson = JsonOf<TObject<typeof overviewFields>>
