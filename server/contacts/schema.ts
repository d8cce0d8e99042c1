// What the contact endpoints take and answer: checked by these, documented by these. The tracker's identify and the import share them.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, MaybeNumber, MaybeText, open, pageQuery } from '../http/shapes.ts'
import { sessionIdFields } from '../sessions/schema.ts'
import {
  type ContactSort,
  type ContactState,
  MAX_LIFECYCLE_STAGE,
  MAX_META_ENTRIES,
  MAX_META_KEY,
  MAX_META_VALUE,
  MAX_SEARCH,
  type MetaEntry,
  type MetaValue,
  sorts,
  states,
  textLimits,
  type TextField,
  traitFields,
} from './contact.ts'
import type { Traits } from './identify.ts'

/** One schema with several types instead of a union: a wrong value is then one error. */
const NullableText = (maxLength: number, description?: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...(description && { description }) }),
  )

const textsOf = <Name extends TextField>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, NullableText(textLimits[name])])) as Record<
    Name,
    ReturnType<typeof NullableText>
  >

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
  ...textsOf(traitFields),
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
  email: NullableText(textLimits.email, 'An e-mail address. Compared without regard to case.'),
  traits: traitsSchema,
}

export const IdentifyBody = Type.Object({ ...sessionIdFields, ...identificationFields })

export const UpdateBody = Type.Object({
  external_id: NullableText(textLimits.external_id),
  email: NullableText(textLimits.email),
  ...textsOf(traitFields),
  lifecycle_stage: Type.Optional(Type.String({ maxLength: MAX_LIFECYCLE_STAGE })),
  state: Type.Optional(
    Type.Unsafe<'active' | 'unsubscribed'>({
      enum: ['active', 'unsubscribed'],
      description: 'A contact is deleted by DELETE alone.',
    }),
  ),
  meta: Meta('Replaces what is known; null or an empty list empties it.'),
})

export const ContactParams = Type.Object({ contact: Type.String() })

/** Numbers come as text in a query string; kernel/page.ts reads them. */
export const ListQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description: 'Words; contacts that have all of them, in any of their texts and in any order.',
    }),
  ),
  state: Type.Optional(Type.Unsafe<ContactState | ''>({ enum: [...states, ''], description: 'Empty: all.' })),
  lifecycle_stage: Type.Optional(Type.String({ maxLength: MAX_LIFECYCLE_STAGE })),
  sort: Type.Optional(
    Type.Unsafe<ContactSort | ''>({
      enum: [...sorts, ''],
      description: 'Empty: in the order in which they were made.',
    }),
  ),
  direction: Type.Optional(
    Type.Unsafe<'asc' | 'desc' | ''>({
      enum: ['asc', 'desc', ''],
      description: 'Of the sort. Empty: asc for names, desc for all else.',
    }),
  ),
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

const ContactShape = Type.Object(
  {
    id: Type.String({ examples: ['ct_…'] }),
    ...Object.fromEntries(Object.keys(textLimits).map((name) => [name, MaybeText])),
    full_name: MaybeText,
    lifecycle_stage: Type.String(),
    state: Type.Unsafe<ContactState>({ enum: [...states] }),
    state_label: Type.String(),
    state_color: Type.String(),
    meta: Type.Array(Type.Object({ key: Type.String(), value: Type.Unsafe<MetaValue>({}) })),
    first_seen_ts: Type.Integer(),
    identified_ts: Type.Integer(),
    last_seen_ts: Type.Integer(),
    session_count: Type.Integer(),
  },
  open,
)

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

export const ContactAnswer = answerOf({ contact: ContactShape })
export const IdentifyAnswer = answerOf({
  contact: ContactShape,
  session_id: MaybeText,
  linked_to_session: Type.Boolean({ description: 'Whether the session belongs to this contact now.' }),
})
export const ContactPage = answerOf({
  data: Type.Array(ContactShape),
  ...linkedPageFields,
})
export const SessionsAnswer = answerOf({
  sessions: Type.Array(SessionShape),
  paging: Type.Object(
    {
      per_page: Type.Integer(),
      has_more: Type.Boolean(),
      next_cursor: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description:
          'entry_ts of the last session; when others of its second follow, an integer that also says how many of them were shown.',
      }),
    },
    open,
  ),
})
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })
