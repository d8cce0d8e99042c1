// What the endpoints of the results of links take and answer.
import { Type } from 'typebox'
import { byName } from '../kernel/by-name.ts'
import { intervalIds } from '../kernel/buckets.ts'
import {
  described,
  type JsonOf,
  MaybeNumber,
  MaybeRate,
  MaybeText,
  oneOf,
  open,
  orNull,
  rowOf,
  windowQuery,
  windowShape,
} from '../http/shapes.ts'

export const breakdownIds = ['country', 'device', 'referrer', 'rule', 'via'] as const
export type BreakdownId = (typeof breakdownIds)[number]

export const ResultsQuery = Type.Object({
  ...windowQuery,
  interval: Type.Optional(Type.String({ description: 'Of the series, as the graph of analytics takes it.' })),
  with: Type.Optional(Type.String({ description: 'Another link, or another group, to answer beside it.' })),
})

const counts = {
  clicks: Type.Integer({ description: 'Of people.' }),
  visitors: Type.Integer({ description: 'People who clicked, each once a day.' }),
  arrived: Type.Integer({ description: 'Visitors who saw a page within 60 seconds after a click.' }),
  engaged: Type.Integer({ description: 'Those who arrived and did not bounce from there.' }),
  forms: Type.Integer({ description: 'Those who arrived and sent a form from there on.' }),
  contacts: Type.Integer({ description: 'Those who arrived and are linked to a contact.' }),
  value_cents: Type.Integer({ description: 'Of their acquisitions from the arrival on.' }),
}

/** Of a CSV file. */
export const ResultsFileRow = rowOf({
  by: oneOf(['all', 'time', ...breakdownIds]),
  value: Type.String(),
  ...counts,
  currency: Type.String(),
})

const CountsShape = Type.Object(counts, open)
export type ResultCountsJson = JsonOf<typeof CountsShape>

const RowShape = Type.Object(
  {
    id: Type.String({
      description:
        'Country code, device, domain of the referrer, id of the rule, or `qr` or `link`; empty: none, or not known.',
    }),
    ...counts,
    destination_url: Type.Optional(Type.String({ description: 'Of a rule: where it led.' })),
  },
  open,
)
export type ResultRowJson = JsonOf<typeof RowShape>

const PersonShape = Type.Object(
  {
    contact_id: Type.String(),
    name: Type.Unsafe<string | null>({ ...MaybeText, description: 'null: of a deleted contact.' }),
    sessions: Type.Integer({ description: 'With an arrival.' }),
    arrived_ts: Type.Integer({ description: 'Of the latest arrival.' }),
    session_id: Type.String({ description: 'Of the latest arrival.' }),
    has_sent_form: Type.Boolean(),
    value_cents: Type.Integer(),
  },
  open,
)
export type ResultPersonJson = JsonOf<typeof PersonShape>

const OwnShape = Type.Object(
  {
    kind: oneOf(['link', 'link_group']),
    id: Type.String(),
    name: Type.String(),
    totals: Type.Object(
      {
        ...counts,
        scans: Type.Integer({ description: 'Those of the clicks that came through the QR code.' }),
        already_on_site: Type.Integer(),
      },
      open,
    ),
    bots: Type.Record(Type.String(), Type.Integer(), { description: 'Clicks of bots by `bot_reason`.' }),
    count_bots: Type.Integer(),
    series: Type.Array(CountsShape, { description: 'One row for each bucket.' }),
    breakdowns: Type.Object(
      byName(breakdownIds, () => Type.Array(RowShape)),
      {
        ...open,
        description: 'The most clicks first, 200 rows at most.',
      },
    ),
    people: Type.Array(PersonShape, { description: 'Contacts who arrived, the latest first, 50 at most.' }),
    count_people: Type.Integer({ description: 'Contacts who arrived.' }),
  },
  open,
)
export type ResultsOfJson = JsonOf<typeof OwnShape>

export const ResultsShape = Type.Object(
  {
    ...windowShape,
    interval: oneOf(intervalIds),
    currency: Type.String({ description: 'ISO 4217: of `value_cents`, which are its minor units.' }),
    buckets: Type.Array(
      Type.Object(
        { label: Type.String(), from_ts: Type.Integer(), to_ts: Type.Integer(), is_running: Type.Boolean() },
        open,
      ),
    ),
    own: OwnShape,
    other: orNull(OwnShape),
  },
  open,
)
export type ResultsJson = JsonOf<typeof ResultsShape>

export const SplitQuery = Type.Object({
  ...windowQuery,
  conversion: Type.Optional(
    Type.String({ description: 'Id of the conversion that is the goal; left out or empty: a form was sent.' }),
  ),
})

const VariantShape = Type.Object(
  {
    id: Type.String(),
    destination_url: Type.String(),
    weight: Type.Integer(),
    clicks: Type.Integer({ description: 'Of people.' }),
    visitors: Type.Integer({ description: 'People who clicked and were led there, each once a day.' }),
    arrived: Type.Integer({ description: 'Visitors who saw a page within 60 seconds after a click.' }),
    converted: Type.Integer({ description: 'Those who arrived and reached the goal from there on.' }),
    rate: described(MaybeRate, 'converted / visitors.'),
    difference: described(MaybeRate, 'Rate less that of the first destination.'),
    interval: Type.Unsafe<readonly [number, number] | null>({
      type: ['array', 'null'],
      items: { type: 'number' },
      description: '95% interval of the difference; null without enough data.',
    }),
    chance_to_win: described(MaybeRate, 'Probability that its rate is the highest; null without enough data.'),
    verdict: Type.Unsafe<'baseline' | 'better' | 'worse' | 'unclear' | null>({
      type: ['string', 'null'],
      enum: ['baseline', 'better', 'worse', 'unclear', null],
    }),
  },
  open,
)
export type VariantResultJson = JsonOf<typeof VariantShape>

export const SplitShape = Type.Object(
  {
    ...windowShape,
    since_ts: described(MaybeNumber, 'Clicks count from this moment on: the split was changed then. null: not known.'),
    conversion_id: described(MaybeText, 'null: a form was sent.'),
    variants: Type.Array(VariantShape, { description: 'In the order of the split; empty without one.' }),
    sample_ratio: Type.Object({
      expected: Type.Array(
        Type.Object({
          id: Type.String(),
          share: Type.Number(),
          observed: described(MaybeRate, 'null without visitors.'),
        }),
      ),
      p_value: described(MaybeRate, 'null with too few visitors.'),
      is_suspicious: Type.Boolean(),
    }),
    has_enough_data: Type.Boolean(),
    reason: MaybeText,
    winner: described(MaybeText, 'Id of a variant.'),
  },
  open,
)
export type SplitResultsJson = JsonOf<typeof SplitShape>
