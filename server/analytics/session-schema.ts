// A session as the list shows it (docs/api/analytics.md). A key whose value is not known is left out.
import { Type } from 'typebox'
import { type JsonOf, oneOf, open } from '../http/shapes.ts'

const Text = Type.Optional(Type.String())

/** What may not be known. */
const knownFields = {
  entry_url: Text,
  entry_path: Text,
  entry_title: Text,
  exit_path: Text,
  referrer_domain: Text,
  channel_category: Text,
  channel_name: Text,
  channel_method: Text,
  utm_source: Text,
  utm_medium: Text,
  utm_campaign: Text,
  source_name: Text,
  country_name: Text,
  request_country: Type.Optional(Type.String({ description: 'ISO 3166 alpha-2.' })),
  region: Text,
  city: Text,
  request_device: Text,
  request_browser_name: Text,
  request_platform: Text,
  request_lang: Text,
  request_timezone: Text,
  contact_id: Text,
}

const PageTag = Type.Object({ url: Type.String(), path: Type.String(), count: Type.Integer() }, open)
const EventTag = Type.Object(
  {
    name: Type.String(),
    value: Type.String({ description: 'Empty without one.' }),
    value_float: Type.Optional(Type.Number()),
  },
  open,
)
const FormTag = Type.Object({ form_id: Type.String(), name: Type.String(), submitted_ts: Type.Integer() }, open)
const Tag = Type.Object(
  { key: Type.String(), value: Type.String() },
  { ...open, description: '`key:value` splits at the first colon.' },
)

export const sessionFields = {
  id: Type.String(),
  type: oneOf(['user']),
  entry_ts: Type.Integer(),
  last_ts: Type.Integer(),
  entry_date: Type.String({ description: 'YYYY-MM-DD HH:MM:SS, UTC.' }),
  time_on_site: Type.Integer({ description: 'Seconds in view.' }),
  views: Type.Integer(),
  bounced: Type.Boolean(),
  avg_max_scroll: Type.Number({ description: '0 to 100; 0 also where it is not known.' }),
  re_entry_count: Type.Integer(),
  ...knownFields,
  channel: Type.Object({ category: Type.String(), label: Type.String() }, open),
  page_tags: Type.Array(PageTag),
  event_tags: Type.Array(EventTag),
  tags: Type.Array(Tag),
  form_tags: Type.Optional(Type.Array(FormTag)),
  signal_value_amount: Type.Optional(Type.Integer({ description: 'Minor units; only once a value was recorded.' })),
  signal_value_amount_usd: Type.Optional(Type.Integer()),
  signal_value_currency: Text,
}

export const SessionShape = Type.Object(sessionFields, {
  ...open,
  description: 'A session document; what is not known is left out.',
})
export type SessionJson = JsonOf<typeof SessionShape>
