// What the overview takes and answers, for the check and for the documentation.
import { Type } from 'typebox'
import { compareWays } from '../analytics/overview.ts'
import { windowFields } from '../analytics/schema.ts'
import { answerOf, MaybeNumber, open } from '../http/shapes.ts'

export const PropertyParams = Type.Object({ property: Type.String() })

const text = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description }))

export const OverviewBody = Type.Object({
  ...windowFields,
  interval: text(
    '`hour`, `day`, `week`, `month`, `year`, as the length of the window accepts. Default: by that length.',
  ),
  compare: text(`What the window is compared with, one of ${compareWays.join(', ')}. Default: preceding.`),
})

const object = (description: string) => Type.Object({}, { ...open, description })

export const OverviewAnswer = answerOf({
  inputs: object('The inputs used.'),
  meta: object(
    '`showing`, `previous_showing`, `filters`, `took_ms`, `is_cached`, `first_view_ts`, `is_empty_property`',
  ),
  window: object('`from_ts`, `to_ts`: unix seconds.'),
  options: object('Choices for pickers: `periods`, `intervals`.'),
  live: Type.Integer({ description: 'Sessions of the last five minutes.' }),
  cards: Type.Array(
    object('A metric of the window beside that of the other one, and over the sessions of which it is known.'),
  ),
  series: object('`buckets`, `current`, `known`, `previous`, `previous_known`, `projected`'),
  lists: object('Ten values of each of the thirteen dimensions.'),
  countries: object('Sessions by ISO 3166 alpha-2.'),
  outcomes: object('`events`, `conversions`, `forms`, `links`, `content`: ten each.'),
  annotations: Type.Array(object('`{id, ts, text}`')),
})

export const SessionParams = Type.Object({ property: Type.String(), session: Type.String() })

export const StoryAnswer = answerOf({
  session: object('A session document with `contact_name`.'),
  story: Type.Array(
    object(
      '`{ts, kind, title, detail?, seconds?, scroll?, id?, status?, amount_cents?, currency?}`, in the order of time.',
    ),
  ),
})

export const TrackingAnswer = answerOf({
  first_view_ts: MaybeNumber,
  last_view_ts: MaybeNumber,
  views_24h: Type.Integer(),
  hosts: Type.Array(object('`{host, views, is_own}` of the last seven days.')),
  libraries: Type.Array(object('`{version, views}` of the last seven days.')),
  refused: Type.Array(
    object('`{reason, host, calls}` of the last seven days; reason: host, revenue, identify, amount.'),
  ),
  errors_24h: Type.Integer({ description: 'Reports of the browser libraries.' }),
  advice: Type.Array(object('`{code, text}`')),
})
