// What the overview, the story of a session and the check of the tracking take and answer, for the check and for the documentation.
import { type TObject, type TSchema, Type } from 'typebox'
import {
  comparedFields,
  inputFields,
  inputsUsed,
  intervalOptions,
  metaFields,
  periodOptions,
} from '../analytics/answer-schema.ts'
import { annotationFields, ListRowShape } from '../lists/schema.ts'
import { dimensionIds } from '../analytics/dimensions.ts'
import { knownMetricIds, metricFormats, shownMetricIds } from '../analytics/metrics.ts'
import { compareWays } from './cards.ts'
import { windowFields } from '../analytics/schema.ts'
import { sessionFields } from '../analytics/session-schema.ts'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'
import { byName } from '../kernel/by-name.ts'
import { intervalIds } from '../kernel/window.ts'

const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))

export const OverviewBody = Type.Object({
  ...windowFields,
  interval: text(
    '`hour`, `day`, `week`, `month`, `year`, as the length of the window accepts. Default: by that length.',
  ),
  compare: text(`What the window is compared with, one of ${compareWays.join(', ')}. Default: preceding.`),
})

// ---------------------------------------------------------------- the overview

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

const ListShape = Type.Object(
  { label: Type.String(), category: Type.String(), total: count, rows: Type.Array(ListRowShape) },
  open,
)

const named = { id: Type.String(), name: Type.String() }
const keyed = { ...named, key: Type.String() }
const MaybeRate = described(MaybeDecimal, 'Null of none.')

const OutcomesShape = Type.Object(
  {
    events: Type.Array(Type.Object({ name: Type.String(), count, sessions: count, value_cents: count }, open)),
    conversions: Type.Array(Type.Object({ ...named, count, sessions: count, rate: Type.Number() }, open)),
    forms: Type.Array(Type.Object({ ...keyed, sessions: count, submissions: count, rate: MaybeRate }, open)),
    links: Type.Array(Type.Object({ ...named, short_url: Type.String(), clicks: count, sessions: count }, open)),
    content: Type.Array(Type.Object({ ...keyed, views: count, clicks: count, rate: MaybeRate }, open)),
  },
  { ...open, description: 'Ten each.' },
)
export type OutcomesJson = JsonOf<typeof OutcomesShape>

const interval = oneOf(intervalIds)

export const overviewFields = {
  inputs: Type.Object({ ...inputFields, interval, compare: oneOf(compareWays) }, inputsUsed),
  meta: Type.Object(
    {
      ...metaFields,
      previous_showing: Type.String(),
      is_cached: Type.Boolean(),
      first_view_ts: described(MaybeNumber, 'Null before the first one.'),
      is_empty_property: Type.Boolean(),
    },
    open,
  ),
  window: Type.Object({ from_ts: Type.Integer(), to_ts: Type.Integer() }, open),
  options: Type.Object({ periods: periodOptions, intervals: intervalOptions(intervalIds) }, open),
  live: Type.Integer({ description: 'Sessions of the last five minutes.' }),
  cards: Type.Array(CardShape, { description: 'The metrics of the window beside those of the other one.' }),
  series: SeriesShape,
  lists: Type.Object(
    byName(dimensionIds, () => ListShape),
    { description: 'Ten values of each dimension.' },
  ),
  countries: Type.Record(Type.String(), count, { description: 'Sessions by ISO 3166 alpha-2.' }),
  outcomes: OutcomesShape,
  annotations: Type.Array(Type.Object(annotationFields, open)),
}
export type OverviewJson = JsonOf<TObject<typeof overviewFields>>

// ---------------------------------------------------------------- the story of a session

const Text = Type.Optional(Type.String())
/** Of steps at the same millisecond, what led to the others comes first. */
export const stepKinds = ['link', 'page', 'content', 'form', 'event', 'money', 'contact', 'webhook'] as const

const StepShape = Type.Object(
  {
    ts: Type.Integer(),
    kind: oneOf(stepKinds),
    title: Type.String(),
    detail: Text,
    seconds: Type.Optional(Type.Number({ description: 'In view, of a page or of content.' })),
    scroll: Type.Optional(Type.Number({ description: '0 to 100.' })),
    id: Type.Optional(Type.String({ description: 'Of the link, form submission, contact, block or delivery.' })),
    automation_id: Type.Optional(Type.String({ description: 'That the delivery belongs to.' })),
    status: Text,
    amount_cents: Type.Optional(Type.Integer({ description: 'Minor units of `currency`.' })),
    currency: Text,
  },
  { ...open, description: 'Texts are as they were collected; what is not known is left out.' },
)
export type StepJson = JsonOf<typeof StepShape>

export const storyFields = {
  session: Type.Object(
    {
      ...sessionFields,
      contact_name: MaybeText,
      is_invalid: Type.Boolean({ description: 'It is in no figure: its owner says so.' }),
    },
    open,
  ),
  story: Type.Array(StepShape, { description: 'In the order of time.' }),
}
export type StoryJson = JsonOf<TObject<typeof storyFields>>

// ---------------------------------------------------------------- the tracking

const adviceCodes = [
  'no_view',
  'only_bots',
  'foreign_hosts',
  'refused_hosts',
  'refused_calls',
  'old_library',
  'library_errors',
  'excluded_self',
  'quiet',
] as const
const AdviceShape = Type.Object({ code: oneOf(adviceCodes), text: Type.String() }, open)
export type AdviceJson = JsonOf<typeof AdviceShape>
const ofLastDays = { description: 'Of the last seven days.' }

export const trackingFields = {
  first_view_ts: MaybeNumber,
  last_view_ts: MaybeNumber,
  views_24h: count,
  hosts: Type.Array(Type.Object({ host: Type.String(), views: count, is_own: Type.Boolean() }, open), ofLastDays),
  libraries: Type.Array(Type.Object({ version: Type.String(), views: count }, open), ofLastDays),
  refused: Type.Array(
    Type.Object({ reason: oneOf(['host', 'revenue', 'identify', 'amount']), host: MaybeText, calls: count }, open),
    ofLastDays,
  ),
  errors_24h: Type.Integer({ description: 'Reports of the browser libraries.' }),
  advice: Type.Array(AdviceShape),
}
export type TrackingJson = JsonOf<TObject<typeof trackingFields>>
