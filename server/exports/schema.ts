// What the exports of a property take and answer.
import { Type } from 'typebox'
import { CostShape } from '../costs/schema.ts'
import { AnnotationShape } from '../annotations/schema.ts'
import { DomainList } from '../links/domain-schema.ts'
import { LookBody } from '../qr/schema.ts'
import { SegmentShape } from '../segments/schema.ts'
import { AutomationShape } from '../automations/schema.ts'
import { ContactRow } from '../contact-files/schema.ts'
import { ExportedLabel, ExportedNote } from '../contacts/label-schema.ts'
import { ExportedMembership } from '../contact-lists/schema.ts'
import { ExportedAlias } from '../contact-merge/schema.ts'
import { ContactShape, ExportedConsent } from '../contacts/schema.ts'
import { BlockShape } from '../content/schema.ts'
import { ConversionShape } from '../conversions/schema.ts'
import { DeliveryRow } from '../deliveries/schema.ts'
import { FormShape } from '../forms/schema.ts'
import {
  described,
  type JsonOf,
  MaybeNumber,
  MaybeRate,
  MaybeText,
  MomentCell,
  oneOf,
  open,
  orNull,
  rowOf,
  textCells,
  YesCell,
} from '../http/shapes.ts'
import { GroupShape, LinkRow, LinkShape } from '../links/schema.ts'
import { PropertyShape, TokenShape } from '../properties/schema.ts'
import { SubmissionRow, SubmissionShape } from '../submissions/schema.ts'
import { factTables, kinds } from './export.ts'
import { csvColumns } from './session-columns.ts'

const day = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 10, description }))

const Window = Type.Object(
  {
    period: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 40 })),
    date_from: day('YYYY-MM-DD, with the period custom.'),
    date_to: day('YYYY-MM-DD, with the period custom.'),
  },
  {
    description:
      'As in analytics, whole days: of the property’s time zone, for facts UTC days. Left out: everything there is.',
  },
)

export const NewExport = Type.Object({
  kind: oneOf(kinds, 'CSV; facts: a table as Parquet; records: everything but the facts, as JSON.'),
  table: Type.Optional(oneOf([...factTables, null], 'Of facts.')),
  form: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'Of submissions: the id.' }),
  ),
  window: Type.Optional(orNull(Window)),
})

export type ExportAskJson = JsonOf<typeof NewExport>

const ExportShape = Type.Object(
  {
    id: Type.String({ examples: ['ex_…'] }),
    kind: oneOf(kinds),
    table: oneOf([...factTables, null]),
    form_id: MaybeText,
    window: described(
      orNull(Type.Object({ date_from: Type.String(), date_to: Type.String() })),
      'Null: everything there is.',
    ),
    state: oneOf(['running', 'done', 'failed']),
    progress: Type.Number({ description: '0 to 1.' }),
    bytes: Type.Integer(),
    file_name: Type.String(),
    error: described(orNull(Type.Object({ code: Type.String(), message: Type.String() })), 'Of a failed one.'),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
    expires_ts: Type.Integer(),
  },
  open,
)

export type ExportJson = JsonOf<typeof ExportShape>
export const exportFields = { export: ExportShape }
export const ExportList = Type.Array(ExportShape)

// ---------------------------------------------------------------- files

const Money = { amount_minor: MaybeNumber, currency: Type.String(), amount_usd_cents: MaybeNumber }

/** A row of a CSV file, by the kind of export. */
export const rowShapes = {
  sessions: rowOf({
    ...textCells(['session_id', 'day']),
    entry_at: MomentCell,
    last_at: MomentCell,
    ...textCells(Object.keys(csvColumns)),
    views: Type.Integer({ minimum: 1 }),
    time_on_site: Type.Integer({ minimum: 0 }),
    bounced: YesCell,
    value_usd_cents: Type.Integer(),
  }),
  events: rowOf({
    at: MomentCell,
    ...textCells(['session_id', 'kind', 'name', 'value']),
    number: MaybeRate,
    sent_by: oneOf(['visitor', 'server']),
    ...Money,
    ...textCells(['order_id', 'tags', 'meta', 'contact_id']),
  }),
  clicks: rowOf({
    click_id: Type.String(),
    at: MomentCell,
    ...textCells(['link', 'link_group', 'destination', 'referrer_domain', 'referrer_url']),
    ...textCells(['country', 'country_code', 'region', 'city', 'device', 'browser', 'os', 'language']),
    is_bot: YesCell,
    ...textCells(['bot_name', 'bot_reason', 'session_id']),
    count: Type.Integer({ minimum: 1 }),
    rule: Type.String(),
    is_scan: YesCell,
  }),
  contacts: ContactRow,
  links: LinkRow,
  submissions: SubmissionRow,
  deliveries: DeliveryRow,
} as const

/** UTM values that a link has none of are left out. */
const ExportedLink = Type.Object(
  { ...Type.Omit(LinkShape, ['clicks']).properties, utm: Type.Partial(LinkShape.properties.utm) },
  open,
)

/** The records of a property: each row as the endpoints of its noun show it, without what is in the facts. */
export const RecordsShape = Type.Object({
  exported_ts: Type.Integer(),
  property: PropertyShape,
  tokens: Type.Array(TokenShape),
  link_groups: Type.Array(Type.Omit(GroupShape, ['count_clicks'])),
  links: Type.Array(ExportedLink),
  link_domains: DomainList,
  qr_look: Type.Array(LookBody, { minItems: 1, maxItems: 1 }),
  forms: Type.Array(Type.Omit(FormShape, ['fullness', 'tried'])),
  conversions: Type.Array(ConversionShape),
  automations: Type.Array(AutomationShape),
  content: Type.Array(BlockShape),
  annotations: Type.Array(AnnotationShape),
  costs: Type.Array(CostShape),
  segments: Type.Array(SegmentShape),
  contacts: Type.Array(ContactShape),
  contact_consents: Type.Array(ExportedConsent),
  contact_aliases: Type.Array(ExportedAlias),
  contact_memberships: Type.Array(ExportedMembership),
  contact_labels: Type.Array(ExportedLabel),
  contact_notes: Type.Array(ExportedNote),
  submissions: Type.Array(SubmissionShape),
})
