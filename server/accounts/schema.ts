// What the endpoints of accounts take and answer: for validation and documentation.
import { MAX_ORIGIN, MAX_ORIGINS } from '../members/embed-origins.ts'
import { type TObject, Type } from 'typebox'
import {
  deletedFields,
  described,
  type JsonOf,
  MaybeText,
  oneOf,
  open,
  orNull,
  pageQuery,
  RoleShape,
} from '../http/shapes.ts'
import { TokenShape } from '../properties/schema.ts'
import { MAX_EMAIL, MAX_PASSWORD, MAX_USER_NAME, MIN_PASSWORD } from './draft.ts'
import { weekStarts } from '../kernel/calendar.ts'
import { roles } from '../kernel/roles.ts'

/** Longer than any token in a link, code or recovery code. */
const MAX_TOKEN = 200

const Email = Type.String({ minLength: 1, maxLength: MAX_EMAIL })
const Name = Type.String({ minLength: 1, maxLength: MAX_USER_NAME })
/**
 * Of a password that is being checked: a shorter one is not refused as such, since that would reveal the
 * rule.
 */
const GivenPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD })
const NewPassword = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: `${MIN_PASSWORD} to ${MAX_PASSWORD} characters of any kind; not your name, your address, or one of the commonest.`,
})
const Token = Type.String({ minLength: 1, maxLength: MAX_TOKEN })
const Code = Type.String({ maxLength: MAX_TOKEN, description: 'Six digits of the authenticator, or a recovery code.' })

export const Credentials = Type.Object({ email: Email, password: GivenPassword, code: Type.Optional(Code) })
export const Forgotten = Type.Object({ email: Email })
export const FirstOwner = Type.Object({ token: Token, email: Email, name: Name, password: NewPassword })

export const PageQuery = Type.Object(pageQuery)

export const UserShape = Type.Object(
  {
    id: Type.String({ examples: ['us_…'] }),
    email: Type.String(),
    name: Type.String(),
    is_owner: Type.Boolean({ description: 'Of the installation: owner of every property.' }),
    has_totp: Type.Boolean(),
    created_ts: Type.Integer(),
  },
  open,
)

const PropertyName = Type.Object({
  id: Type.String(),
  name: Type.String(),
  timezone: Type.String(),
  week_start: oneOf(weekStarts),
  currency: Type.String(),
})

const OwnPropertyShape = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    name: Type.String(),
    timezone: Type.String({ description: 'By whose clock its days are told.' }),
    week_start: oneOf(weekStarts, 'The day with which its weeks begin.'),
    currency: Type.String({ description: 'ISO 4217: in which its money is told.' }),
    role: RoleShape,
    is_sample: Type.Boolean({ description: 'It contains sample data.' }),
  },
  open,
)

export const sessionFields = {
  user: orNull(UserShape),
  properties: Type.Array(OwnPropertyShape),
  is_setup_open: Type.Boolean({ description: 'Nobody has used the one-time link for the first owner yet.' }),
  is_demo: Type.Boolean({ description: 'Anybody looks at the sample data, and nobody can change anything.' }),
  version: described(MaybeText, 'For who is signed in; else null.'),
  share: described(
    orNull(Type.Object({ id: Type.String(), property: PropertyName })),
    'Of a caller with a share link.',
  ),
  is_mail_on: Type.Boolean({ description: 'Email is sent: a new password can be asked for.' }),
}
export type UserJson = JsonOf<typeof UserShape>
export type OwnPropertyJson = JsonOf<typeof OwnPropertyShape>
export type SessionJson = JsonOf<TObject<typeof sessionFields>>

// ---------------------------------------------------------------- links that work once

export const LinkToken = Type.Object({ token: Token })
export const AcceptanceBody = Type.Object({
  token: Token,
  name: Type.Optional(Name),
  password: Type.Optional(NewPassword),
  code: Type.Optional(Code),
})
export const linkFields = {
  kind: oneOf(['member', 'user', 'reset'], 'To a property, to the installation, or to a new password.'),
  email: Type.String(),
  property_name: MaybeText,
  role: oneOf([...roles, null]),
  needs_password: Type.Boolean(),
  needs_sign_in: Type.Boolean({ description: 'An account with this email exists: sign in, then accept.' }),
  needs_code: Type.Boolean({ description: 'A reset for a person with two-factor authentication.' }),
}
export type LinkJson = JsonOf<TObject<typeof linkFields>>
export type Acceptance = JsonOf<typeof AcceptanceBody>

// ---------------------------------------------------------------- users

export const ListedUserShape = Type.Object(
  {
    ...UserShape.properties,
    is_active: Type.Boolean(),
    has_password: Type.Boolean({ description: 'False until the invitation was used.' }),
  },
  open,
)

export const NewUser = Type.Object({ email: Email, name: Name, is_owner: Type.Optional(Type.Boolean()) })
export const ChangedUser = Type.Object({
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  is_owner: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean({ description: 'false: signed out everywhere, and not let in again.' })),
})
export const NewReset = Type.Object({
  totp: Type.Optional(
    Type.Boolean({ description: 'true: the second factor goes with the old password. Default: false.' }),
  ),
})

export type ListedUserJson = JsonOf<typeof ListedUserShape>
export type UserDraft = JsonOf<typeof NewUser>
export type UserChange = JsonOf<typeof ChangedUser>

export const SignInShape = Type.Object(
  {
    ts: Type.Integer(),
    outcome: oneOf(['ok', 'wrong_password', 'wrong_code', 'locked']),
    browser: Type.String(),
    os: Type.String(),
    country: Type.String({ description: 'Two letters, or empty.' }),
    address: Type.String(),
  },
  open,
)
export type SignInJson = JsonOf<typeof SignInShape>

// ---------------------------------------------------------------- members and shares

export const NewMember = Type.Object({ email: Email, role: RoleShape })
export const ChangedMember = Type.Object({ role: RoleShape })

export const MemberShape = Type.Object(
  {
    id: Type.String({ description: 'Of the person.' }),
    email: Type.String(),
    name: Type.String(),
    role: RoleShape,
    has_totp: Type.Boolean(),
    is_active: Type.Boolean(),
    created_ts: Type.Integer({ description: 'Since when they are a member.' }),
  },
  open,
)
export const InvitationShape = Type.Object(
  {
    id: Type.String({ examples: ['iv_…'] }),
    email: Type.String(),
    role: RoleShape,
    created_ts: Type.Integer(),
    expires_ts: Type.Integer(),
  },
  open,
)

export const invitedFields = {
  member: Type.Optional(MemberShape),
  invitation: Type.Optional(Type.Object({ ...InvitationShape.properties, url: Type.String() }, open)),
}
export type MemberJson = JsonOf<typeof MemberShape>
export type InvitationJson = JsonOf<typeof InvitationShape>
export type InvitedJson = JsonOf<TObject<typeof invitedFields>>

export const NewShare = Type.Object({
  name: Name,
  password: Type.Optional(Type.Unsafe<string | null>({ ...NewPassword, type: ['string', 'null'] })),
  origins: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_ORIGIN }), {
      maxItems: MAX_ORIGINS,
      description: 'Websites that may embed the page: https://example.com. Default: none.',
    }),
  ),
  has_badge: Type.Optional(
    Type.Boolean({ description: 'An image for any page that shows how many are there now. Default: false.' }),
  ),
  segment_id: Type.Optional(
    described(MaybeText, 'A segment that everybody in the property has: nothing else is shown. Null: everything.'),
  ),
})
export const OpenedShare = Type.Object({
  token: Token,
  password: Type.Optional(Type.String({ maxLength: MAX_PASSWORD })),
})

export const ShareShape = Type.Object(
  {
    id: Type.String({ examples: ['sh_…'] }),
    property_id: Type.String(),
    name: Type.String(),
    has_password: Type.Boolean(),
    segment_id: described(MaybeText, 'The segment that alone is shown; null: everything.'),
    origins: Type.Array(Type.String(), { description: 'Websites that may embed the page.' }),
    badge_path: described(MaybeText, 'Of the badge, below BASE_URL; null: without one.'),
    created_by: described(MaybeText, 'A person; null for the administrator, and before that was kept.'),
    created_ts: Type.Integer(),
  },
  open,
)
export type ShareJson = JsonOf<typeof ShareShape>
export type ShareDraft = JsonOf<typeof NewShare>
export type OpenShareInput = JsonOf<typeof OpenedShare>

/** What a removed person created that still lets its holder in. */
const leftFields = {
  tokens: Type.Array(TokenShape, {
    description: 'Tokens that they created and that still work: revoke those that are not needed.',
  }),
  shares: Type.Array(ShareShape, { description: 'Share links that they created and that still work.' }),
}
export const removedFields = { ...deletedFields, ...leftFields }
export type LeftBehind = JsonOf<TObject<typeof leftFields>>

export const bearerFields = {
  access_token: Type.String({ description: 'A bearer token for the metrics of the property, valid for twelve hours.' }),
  expires_ts: Type.Integer(),
  property: PropertyName,
}
export type BearerJson = JsonOf<TObject<typeof bearerFields>>

// ---------------------------------------------------------------- the own account

export const ChangedAccount = Type.Object({
  name: Type.Optional(Name),
  email: Type.Optional(
    Type.String({
      ...Email,
      description: 'Another one for owners of the installation alone; everybody else asks one of them.',
    }),
  ),
  password: Type.Optional(NewPassword),
  current_password: Type.Optional(GivenPassword),
})
export const CurrentPassword = Type.Object({ current_password: GivenPassword })
export const GivenCode = Type.Object({ code: Code })
export type AccountChange = JsonOf<typeof ChangedAccount>

export const OwnSessionShape = Type.Object(
  {
    id: Type.String({ examples: ['se_…'] }),
    created_ts: Type.Integer(),
    last_seen_ts: Type.Integer(),
    browser: Type.String(),
    os: Type.String(),
    is_current: Type.Boolean(),
  },
  open,
)
export type OwnSessionJson = JsonOf<typeof OwnSessionShape>
