// What lists of contacts take and answer.
import { Type } from 'typebox'
import { type JsonOf, MaybeNumber, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'

const MAX_FORMS = 100
export const membershipStates = ['pending', 'confirmed', 'unsubscribed'] as const

export const ListBody = Type.Object({
  name: Type.String({ maxLength: 240, description: '1 to 60 characters; a list that there is not yet is created.' }),
  is_confirmed: Type.Optional(
    Type.Boolean({ description: 'Whether members confirm by email before they are in it. Default: false.' }),
  ),
  form_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 80 }), {
      maxItems: MAX_FORMS,
      description:
        'Forms whose good submissions ask for this list; where a form has a field for consent, those that agree.',
    }),
  ),
})
export type ListInputJson = JsonOf<typeof ListBody>

export const ListShape = Type.Object(
  {
    name: Type.String(),
    is_confirmed: Type.Boolean(),
    form_ids: Type.Array(Type.String()),
    contacts: Type.Integer({ description: 'In it now.' }),
    pending: Type.Integer({ description: 'Asked, and not confirmed yet.' }),
    unsubscribed: Type.Integer(),
  },
  open,
)
export type ListJson = JsonOf<typeof ListShape>

export const listsFields = {
  lists: Type.Array(ListShape),
  missing_settings: Type.Array(Type.String(), { description: 'Settings without which no email is sent.' }),
}
export type ListsJson = JsonOf<ReturnType<typeof Type.Object<typeof listsFields>>>

const membershipFields = {
  list: Type.String(),
  email: Type.String(),
  state: oneOf(membershipStates),
  form: orNull(Type.Object({ id: Type.String(), name: MaybeText }, open)),
  requested_ts: Type.Integer(),
  mailed_ts: MaybeNumber,
  confirmed_ts: MaybeNumber,
  unsubscribed_ts: MaybeNumber,
}

export const MembershipShape = Type.Object(
  {
    id: Type.String({ examples: ['lm_…'] }),
    ...membershipFields,
    unsubscribe_url: Type.String({ description: 'For your own emails: a page, and one click (RFC 8058).' }),
  },
  open,
)
export type MembershipJson = JsonOf<typeof MembershipShape>
export const Memberships = Type.Array(MembershipShape)

export const ExportedMembership = Type.Object({ contact_id: Type.String(), ...membershipFields, form: MaybeText }, open)
