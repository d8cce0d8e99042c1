// What the endpoints of clicks, of the attribution preview and of the statistics take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, MaybeText, open, pageQuery } from '../http/shapes.ts'
import { MAX_DESTINATION, MAX_UTM, utmNames } from './link.ts'

/** The longest collected address. */
const MAX_REFERRER = 2048

/** Numbers come as text in a query string; kernel/page.ts reads them. */
export const ClicksQuery = Type.Object({
  link_id: Type.Optional(Type.String({ description: 'Clicks of this link alone, also when it was deleted.' })),
  group_id: Type.Optional(Type.String({ description: 'Clicks of this group alone, also when it was deleted.' })),
  from_ts: Type.Optional(Type.String({ description: 'Unix seconds, included.' })),
  to_ts: Type.Optional(Type.String({ description: 'Unix seconds, included.' })),
  type: Type.Optional(
    Type.Unsafe<'user' | 'bot' | ''>({
      enum: ['user', 'bot', ''],
      description: 'People, or programs. Both when left out or empty.',
    }),
  ),
  ...pageQuery,
})

export const ClickParams = Type.Object({ click: Type.String() })

/** One schema with several types instead of a union: a wrong value is then one error. */
const nullableText = (maxLength: number, description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...(description !== undefined && { description }) })

export const PreviewBody = Type.Object({
  utm: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string | null>> | null>({
      type: ['object', 'null'],
      properties: Object.fromEntries(utmNames.map((name) => [name, nullableText(MAX_UTM)])),
      description: 'The UTM values of a link.',
    }),
  ),
  destination_url: Type.Optional(
    nullableText(
      MAX_DESTINATION,
      'Where the link leads; the first domain of the property when left out, null or empty.',
    ),
  ),
  referrer: Type.Optional(nullableText(MAX_REFERRER, 'The page on which the link stands; none when left out.')),
})

/** As the analytics take it, in the address. */
export const StatisticsQuery = Type.Object({
  period: Type.Optional(Type.String({ description: 'Default: the property’s, else `last_7`.' })),
  date_from: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
  date_to: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
})

export const LinkParams = Type.Object({ property: Type.String(), link: Type.String() })
export const GroupParams = Type.Object({ property: Type.String(), group: Type.String() })

// ---------------------------------------------------------------- answers

const ClickShape = Type.Object(
  {
    id: Type.String({ examples: ['ck_…'] }),
    short_link_id: Type.String(),
    short_link_group_id: Type.String(),
    click_ts: Type.Integer(),
    type: Type.Unsafe<string>({ enum: ['user', 'bot'] }),
    referrer_domain: MaybeText,
    referrer_url: MaybeText,
    country: MaybeText,
    country_code: MaybeText,
    region: MaybeText,
    city: MaybeText,
    device: MaybeText,
    browser: MaybeText,
    os: MaybeText,
    is_bot: Type.Boolean(),
    bot_name: MaybeText,
    bot_reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        '`agent`, `empty_agent`, `headless`, `network` (a data centre), `prefetch`, `head`, `preview` or `flood` (more than 60 of a minute from one address); null for people.',
    }),
    count: Type.Integer({ description: 'Clicks that this one stands for: 1, or as many as a flood had.' }),
    destination_url: Type.String({ description: 'Where the visitor was sent.' }),
  },
  open,
)

export const ClickAnswer = answerOf({ click: ClickShape })
export const ClickPage = answerOf({
  data: Type.Array(ClickShape),
  ...linkedPageFields,
})

export const PreviewAnswer = answerOf({
  channel: Type.Object({ category: Type.String(), label: Type.String() }, open),
  source_name: Type.String(),
  utm: Type.Object(Object.fromEntries(utmNames.map((name) => [name, MaybeText])), {
    ...open,
    description: 'Those of the session: what the destination names itself comes before the values of the link.',
  }),
  destination_url: Type.String({ description: 'With the UTM values added.' }),
})

export const StatisticsAnswer = answerOf({
  statistics: Type.Object(
    {
      period: Type.String(),
      date_from: MaybeText,
      date_to: MaybeText,
      showing: Type.String({ description: 'The window in words.' }),
      clicks: Type.Integer({ description: 'Of people.' }),
      visitors: Type.Integer({ description: 'People who clicked, each once a day.' }),
      bots: Type.Object({}, { ...open, description: 'Clicks of programs by `bot_reason`, those of a flood each.' }),
      count_bots: Type.Integer(),
      arrived: Type.Integer({ description: 'Visitors who saw a page within 60 seconds after a click.' }),
      already_on_site: Type.Integer({
        description: 'Those of them who had been on the site that day before.',
      }),
      engaged: Type.Integer({ description: 'Those who arrived and did not bounce from there.' }),
      arrival_rate: Type.Number({ description: 'arrived / visitors.' }),
      engagement_rate: Type.Number({ description: 'engaged / arrived.' }),
    },
    open,
  ),
})
