// What the contact endpoints take and answer: checked by these, documented by these. The tracker's identify
// and the import share them.
import { type TObject, Type } from 'typebox'
import {
  checkedRowsFields,
  described,
  type JsonOf,
  MaybeNumber,
  MaybeText,
  oneOf,
  open,
  orNull,
  pageQuery,
} from '../http/shapes.ts'
import { sessionIdFields } from '../sessions/schema.ts'
import {
  MAX_LIFECYCLE_STAGE,
  MAX_META_ENTRIES,
  MAX_META_KEY,
  MAX_META_VALUE,
  MAX_PART_ROWS,
  MAX_SEARCH,
  type MetaEntry,
  type MetaValue,
  sorts,
  states,
  textFields,
  textLimits,
  type TextField,
  traitFields,
} from './contact-model.ts'
import type { Traits } from '../identify/identify.ts'

/** One schema with several types instead of a union: a wrong value is then one error. */
const NullableText = (maxLength: number, description?: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...(description && { description }) }),
  )

const textsOf = <Name extends TextField, Shape>(names: readonly Name[], shapeOf: (name: Name) => Shape) =>
  Object.fromEntries(names.map((name) => [name, shapeOf(name)])) as Record<Name, Shape>

const NullableTrait = (name: TextField) => NullableText(textLimits[name])

const MetaItem = Type.Object({
  key: Type.String({ minLength: 1, maxLength: MAX_META_KEY }),
  value: Type.Unsafe<MetaValue>({
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: MAX_META_VALUE,
    default: null,
  }),
})

const Meta = (description: string) =>
  Type.Optional(
    Type.Unsafe<readonly MetaEntry[] | null>({
      type: ['array', 'null'],
      maxItems: MAX_META_ENTRIES,
      // `value` is filled with its default before it is asked for.
      items: { ...MetaItem, required: ['key'] },
      description,
    }),
  )

const traitProperties = {
  ...textsOf(traitFields, NullableTrait),
  lifecycle_stage: NullableText(MAX_LIFECYCLE_STAGE, 'lead, subscriber, customer, user or a text of your own.'),
  meta: Meta('Merged by key with what is known. From a visitor at most 10 entries.'),
}

/** Of an identification. Null, and a text of blanks, says nothing about its field. */
export const traitsSchema = Type.Optional(
  Type.Unsafe<Traits | null>({ type: ['object', 'null'], properties: traitProperties }),
)

/** Who it is; at least one of external_id and email. */
export const identificationFields = {
  external_id: NullableText(textLimits.external_id, 'Your own id of the person.'),
  email: NullableText(textLimits.email, 'An email address. Compared without regard to case.'),
  traits: traitsSchema,
}

export const IdentifyBody = Type.Object({ ...sessionIdFields, ...identificationFields })

/** A key that is not there is left as it is; null clears. */
export const UpdateBody = Type.Object({
  external_id: NullableText(textLimits.external_id),
  email: NullableText(textLimits.email),
  ...textsOf(traitFields, NullableTrait),
  lifecycle_stage: Type.Optional(Type.String({ maxLength: MAX_LIFECYCLE_STAGE })),
  state: Type.Optional(oneOf(['active', 'unsubscribed'], 'A contact is deleted by DELETE alone.')),
  meta: Meta('Replaces what is known; null or an empty list empties it.'),
})
export type ContactChangeJson = JsonOf<typeof UpdateBody>

/** Numbers come as text in a query string; kernel/page.ts reads them. */
export const ListQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description: 'Words; contacts that have all of them, in any of their texts and in any order.',
    }),
  ),
  state: Type.Optional(oneOf([...states, ''], 'Empty: all.')),
  lifecycle_stage: Type.Optional(Type.String({ maxLength: MAX_LIFECYCLE_STAGE })),
  list: Type.Optional(Type.String({ maxLength: 240, description: 'Contacts in this list.' })),
  tag: Type.Optional(Type.String({ maxLength: 240, description: 'Contacts with this tag.' })),
  sort: Type.Optional(oneOf([...sorts, ''], 'Empty: in the order in which they were made.')),
  direction: Type.Optional(oneOf(['asc', 'desc', ''], 'Of the sort. Empty: asc for names, desc for all else.')),
  ...pageQuery,
})

export const SessionsQuery = Type.Object({
  per_page: pageQuery.per_page,
  cursor: Type.Optional(
    Type.String({
      description: 'next_cursor of the page before. A time in unix seconds is one too: sessions that began before it.',
    }),
  ),
})

// ---------------------------------------------------------------- answers

export const ContactShape = Type.Object(
  {
    id: Type.String({ examples: ['ct_…'] }),
    ...textsOf(textFields, () => MaybeText),
    full_name: MaybeText,
    lifecycle_stage: Type.String(),
    state: oneOf(states),
    state_label: Type.String(),
    state_color: Type.String(),
    meta: Type.Array(
      Type.Object({
        key: Type.String(),
        value: Type.Unsafe<MetaValue>({ type: ['string', 'number', 'boolean', 'null'] }),
      }),
    ),
    first_seen_ts: Type.Integer(),
    identified_ts: Type.Integer(),
    last_seen_ts: Type.Integer(),
    session_count: Type.Integer(),
  },
  open,
)

export type ContactJson = JsonOf<typeof ContactShape>

const SessionShape = Type.Object(
  {
    id: Type.String(),
    sid: Type.String({ description: 'The same as id.' }),
    entry_ts: Type.Integer(),
    last_ts: MaybeNumber,
    entry_url: MaybeText,
    exit_url: MaybeText,
    bounced: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
    views: MaybeNumber,
    channel: Type.Object({ category: MaybeText, name: MaybeText, source: MaybeText }, open),
    geo: Type.Object({ country: MaybeText, city: MaybeText }, open),
    device: MaybeText,
  },
  open,
)

export type SessionJson = JsonOf<typeof SessionShape>

export const identifiedFields = {
  contact: ContactShape,
  session_id: MaybeText,
  linked_to_session: Type.Boolean({ description: 'Whether the session belongs to this contact now.' }),
}

export const sessionsFields = {
  sessions: Type.Array(SessionShape),
  paging: Type.Object(
    {
      per_page: Type.Integer(),
      has_more: Type.Boolean(),
      next_cursor: described(
        MaybeNumber,
        'entry_ts of the last session; when others of its second follow, an integer that also says how many of them were shown.',
      ),
    },
    open,
  ),
}
export type SessionsJson = JsonOf<TObject<typeof sessionsFields>>

// ---------------------------------------------------------------- /manage

export const ImportBody = Type.Object({
  csv: Type.String({
    description: `A file of contacts as text, with its header; up to ${MAX_PART_ROWS} rows. Larger ones come in parts, each with the header.`,
  }),
  is_trial: Type.Optional(Type.Boolean({ description: 'Everything is checked and counted, nothing is written.' })),
})

export const importFields = {
  ...checkedRowsFields,
  nameless_rows: Type.Integer({ description: 'Rows of an export with neither external_id nor email: left out.' }),
  ignored_columns: Type.Array(Type.String()),
  created: Type.Integer(),
  updated: Type.Integer({ description: 'Rows about a contact that was there.' }),
  is_written: Type.Boolean(),
}
export type ImportJson = JsonOf<TObject<typeof importFields>>

/** It says what was there, never what it was. */
export const ReceiptShape = Type.Object(
  {
    contact_id: Type.String(),
    property_id: Type.String(),
    erased_ts: Type.Integer({ description: 'Of this call.' }),
    was_deleted: Type.Boolean({ description: 'There was nothing left to erase.' }),
    fields: Type.Array(Type.String(), { description: 'Names of the fields that held something.' }),
    meta_entries: Type.Integer(),
    sessions: Type.Integer({ description: 'Those that stay linked to the id, which leads to nobody any more.' }),
    submissions: Type.Integer({ description: 'Form submissions, permanently deleted.' }),
  },
  open,
)
export type ReceiptJson = JsonOf<typeof ReceiptShape>

export const NamesQuery = Type.Object({
  ids: Type.Optional(Type.String({ description: 'Ids of contacts, with commas between them; up to 200.' })),
})

export const Names = Type.Record(Type.String(), Type.String(), {
  description: 'By id; who has no name is called by the address or the external id, and who was deleted is left out.',
})

const consentFields = {
  words: Type.String({ description: 'The text as it was shown.' }),
  given_ts: Type.Integer(),
  form: Type.Object({ id: Type.String(), name: Type.String({ description: 'As it was called then.' }) }, open),
  submission_id: Type.String(),
}

export const Consents = Type.Array(Type.Object(consentFields, open))
export const ExportedConsent = Type.Object({ contact_id: Type.String(), ...consentFields }, open)
export type ConsentJson = JsonOf<typeof Consents>[number]

const WorthShape = Type.Object(
  {
    value_cents: Type.Integer({ description: 'Of their latest 1,000 sessions, in minor units of `currency`.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    orders: Type.Integer({ description: 'Orders with an id.' }),
    first: orNull(Type.Object({ channel: Type.String(), channel_name: Type.String(), source: MaybeText }, open)),
  },
  open,
)
export type WorthJson = JsonOf<typeof WorthShape>
export const Worth = Type.Record(Type.String(), WorthShape, { description: 'By id of the contact.' })
