// A session as the list shows it (docs/api/analytics.md). A key whose value is not known is left out.
import { Type } from 'typebox'
import { type JsonOf, oneOf, open } from '../http/shapes.ts'
import { byName } from '../kernel/by-name.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import {
  columnOf,
  type DimensionField,
  dimensionOf,
  dimensions,
  type FieldId,
  sessionDimensionIds,
} from './dimensions.ts'

const Text = Type.Optional(Type.String())

const withField = sessionDimensionIds.filter((id): id is FieldId => dimensionOf(id).field !== undefined)

/** Where the values of dimensions are, by their keys in a document. */
export const fieldColumns = Object.fromEntries(withField.map((id) => [dimensions[id].field, columnOf(id)])) as Record<
  DimensionField,
  SessionColumn
>
const dimensionFields = withField.map((id) => dimensions[id].field)

/** What may not be known, in the order of the document; the field of another dimension comes last. */
const fieldsInOrder = [
  'entry_url',
  'entry_path',
  'entry_title',
  'exit_path',
  'referrer_domain',
  'channel_category',
  'channel_name',
  'channel_method',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'source_name',
  'country_name',
  'request_country',
  'region',
  'city',
  'request_device',
  'request_browser_name',
  'request_platform',
  'request_lang',
  'request_timezone',
  'contact_id',
] as const
export type KnownField = (typeof fieldsInOrder)[number] | DimensionField
export const knownFields: readonly KnownField[] = [...new Set([...fieldsInOrder, ...dimensionFields])]

const descriptions: Partial<Record<KnownField, string>> = { request_country: 'ISO 3166 alpha-2.' }
const KnownFields = byName(knownFields, (name) => {
  const description = descriptions[name]
  return Type.Optional(Type.String(description === undefined ? {} : { description }))
})

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
  ...KnownFields,
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
