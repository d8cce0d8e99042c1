// What the endpoints of clicks and of the attribution preview take and answer: for validation and
// documentation.
import { type TObject, Type } from 'typebox'
import { type JsonOf, MaybeText, oneOf, open, pageQuery } from '../http/shapes.ts'
import { MAX_DESTINATION, MAX_UTM, utmRecord } from '../links/link-model.ts'

/** The longest stored URL. */
const MAX_REFERRER = 2048

/** Numbers come as text in a query string; kernel/page.ts reads them. */
export const ClicksQuery = Type.Object({
  link_id: Type.Optional(Type.String({ description: 'Clicks of this link alone, also when it was deleted.' })),
  group_id: Type.Optional(Type.String({ description: 'Clicks of this group alone, also when it was deleted.' })),
  from_ts: Type.Optional(Type.String({ description: 'Unix seconds, included.' })),
  to_ts: Type.Optional(Type.String({ description: 'Unix seconds, included.' })),
  type: Type.Optional(oneOf(['user', 'bot', ''], 'People, or programs. Both when left out or empty.')),
  ...pageQuery,
})

/** One schema with several types instead of a union: a wrong value is then one error. */
const nullableText = (maxLength: number, description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...(description !== undefined && { description }) })

export const PreviewBody = Type.Object({
  utm: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string | null>> | null>({
      type: ['object', 'null'],
      properties: utmRecord(() => nullableText(MAX_UTM)),
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

// ---------------------------------------------------------------- answers

export const ClickShape = Type.Object(
  {
    id: Type.String({ examples: ['ck_…'] }),
    short_link_id: Type.String(),
    short_link_group_id: Type.String(),
    click_ts: Type.Integer(),
    type: oneOf(['user', 'bot']),
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
    rule_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The rule or the variant of the split that sent the visitor there; null where none did.',
    }),
    is_scan: Type.Boolean({ description: 'Through the QR code of the link.' }),
    destination_url: Type.String({ description: 'Where the visitor was sent.' }),
  },
  open,
)

export type ClickJson = JsonOf<typeof ClickShape>

export const previewFields = {
  channel: Type.Object({ category: Type.String(), label: Type.String() }, open),
  source_name: Type.String(),
  utm: Type.Object(
    utmRecord(() => MaybeText),
    {
      ...open,
      description: 'Those of the session: what the destination names itself comes before the values of the link.',
    },
  ),
  destination_url: Type.String({ description: 'With the UTM values added.' }),
}
export type PreviewJson = JsonOf<TObject<typeof previewFields>>
