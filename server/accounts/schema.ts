// What the interface of accounts takes and answers; checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, MaybeText, open, pageQuery } from '../http/shapes.ts'
import { TokenShape } from '../properties/schema.ts'
import { MAX_EMAIL, MAX_PASSWORD, MAX_USER_NAME, MIN_PASSWORD } from './draft.ts'
import { type Role, roles } from './roles.ts'

/** Longer than any token in a link, code or recovery code. */
const MAX_TOKEN = 200

const Email = Type.String({ minLength: 1, maxLength: MAX_EMAIL })
const Name = Type.String({ minLength: 1, maxLength: MAX_USER_NAME })
/** Of what is compared: no shorter one is right, and saying so would tell. */
const GivenPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD })
const NewPassword = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: `${MIN_PASSWORD} to ${MAX_PASSWORD} characters of any kind; not your name, your address, or one of the commonest.`,
})
const Token = Type.String({ minLength: 1, maxLength: MAX_TOKEN })
const Code = Type.String({ maxLength: MAX_TOKEN, description: 'Six digits of the authenticator, or a recovery code.' })

export const RoleShape = Type.Unsafe<Role>({ enum: [...roles] })

export const Credentials = Type.Object({ email: Email, password: GivenPassword, code: Type.Optional(Code) })
export const FirstOwner = Type.Object({ token: Token, email: Email, name: Name, password: NewPassword })

export const PageQuery = Type.Object(pageQuery)

const UserShape = Type.Object(
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

const OwnPropertyShape = Type.Object(
  {
    id: Type.String(),
    key: Type.String(),
    name: Type.String(),
    role: RoleShape,
    is_sample: Type.Boolean({ description: 'What it holds is made up, to look at.' }),
  },
  open,
)

export const SessionAnswer = answerOf(
  {
    user: Type.Unsafe<object | null>({ ...UserShape, type: ['object', 'null'] }),
    properties: Type.Array(OwnPropertyShape),
    is_setup_open: Type.Boolean({ description: 'Nobody has used the one-time link for the first owner yet.' }),
    version: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'For who is signed in; else null.' }),
    share: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'Of a caller with a share link: {id, property: {id, name}}.',
    }),
  },
  'Who is calling; nobody is not an error.',
)
export const UserAnswer = answerOf({ user: UserShape }, 'The person.')
export const SignedInAnswer = answerOf({ user: UserShape }, 'Signed in: the session is in the cookie.')
export const SignedOutAnswer = answerOf({ signed_out: Type.Boolean() }, 'The session is over.')
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() }, 'Gone.')

// ---------------------------------------------------------------- links that work once

export const LinkToken = Type.Object({ token: Token })
export const Acceptance = Type.Object({
  token: Token,
  name: Type.Optional(Name),
  password: Type.Optional(NewPassword),
  code: Type.Optional(Code),
})
export const LinkAnswer = answerOf(
  {
    kind: Type.String({ description: 'member, user or reset.' }),
    email: Type.String(),
    property_name: MaybeText,
    role: MaybeText,
    needs_password: Type.Boolean(),
    needs_sign_in: Type.Boolean({ description: 'There is an account with this address: sign in, then accept.' }),
    needs_code: Type.Boolean({ description: 'A reset for who has a second factor.' }),
  },
  'What the link is for.',
)

// ---------------------------------------------------------------- users

const ListedUserShape = Type.Object(
  {
    ...UserShape.properties,
    is_active: Type.Boolean(),
    has_password: Type.Boolean({ description: 'False until the invitation was used.' }),
  },
  open,
)

export const pageFields = {
  current_page: Type.Integer(),
  last_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
}

export const UserParams = Type.Object({ user: Type.String() })
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

export const ListedUserAnswer = answerOf({ user: ListedUserShape }, 'The person.')
export const NewUserAnswer = answerOf(
  { user: ListedUserShape, invitation_url: Type.String() },
  'The link with which the person chooses a password: shown once, good for seven days.',
)
export const UserPage = answerOf({ data: Type.Array(ListedUserShape), ...pageFields }, 'A page, newest first.')
export const ResetAnswer = answerOf(
  { reset_url: Type.String(), expires_ts: Type.Integer() },
  'The link with which the person chooses a new password: shown once, good for seven days.',
)

const SignInShape = Type.Object(
  {
    ts: Type.Integer(),
    outcome: Type.String({ description: 'ok, wrong_password, wrong_code or locked.' }),
    browser: Type.String(),
    os: Type.String(),
    country: Type.String(),
    address: Type.String(),
  },
  open,
)
export const SignInPage = answerOf(
  { data: Type.Array(SignInShape), ...pageFields },
  'A page, newest first: the last 90 days, at most a thousand that were right and a thousand others.',
)

// ---------------------------------------------------------------- members and shares

export const PropertyParams = Type.Object({ property: Type.String() })
export const MemberParams = Type.Object({ property: Type.String(), user: Type.String() })
export const InvitationParams = Type.Object({ property: Type.String(), invitation: Type.String() })
export const ShareParams = Type.Object({ property: Type.String(), share: Type.String() })

export const NewMember = Type.Object({ email: Email, role: RoleShape })
export const ChangedMember = Type.Object({ role: RoleShape })

const MemberShape = Type.Object(
  {
    id: Type.String({ description: 'Of the person.' }),
    email: Type.String(),
    name: Type.String(),
    role: RoleShape,
    has_totp: Type.Boolean(),
    is_active: Type.Boolean(),
    created_ts: Type.Integer(),
  },
  open,
)
const InvitationShape = Type.Object(
  {
    id: Type.String({ examples: ['iv_…'] }),
    email: Type.String(),
    role: RoleShape,
    created_ts: Type.Integer(),
    expires_ts: Type.Integer(),
  },
  open,
)

export const MemberAnswer = answerOf({ member: MemberShape }, 'The member.')
export const InvitedAnswer = answerOf(
  {
    member: Type.Optional(MemberShape),
    invitation: Type.Optional(Type.Object({ ...InvitationShape.properties, url: Type.String() }, open)),
  },
  'The member, for who has an account; else the invitation, whose link is shown once.',
)
export const MemberPage = answerOf({ data: Type.Array(MemberShape), ...pageFields }, 'A page, oldest first.')
export const InvitationList = answerOf({ data: Type.Array(InvitationShape) }, 'Those that wait, newest first.')

export const NewShare = Type.Object({
  name: Name,
  password: Type.Optional(Type.Unsafe<string | null>({ ...NewPassword, type: ['string', 'null'] })),
})
export const ShareAsk = Type.Object({ token: Token, password: Type.Optional(Type.String({ maxLength: MAX_PASSWORD })) })

const ShareShape = Type.Object(
  {
    id: Type.String({ examples: ['sh_…'] }),
    property_id: Type.String(),
    name: Type.String(),
    has_password: Type.Boolean(),
    created_by: MaybeText,
    created_ts: Type.Integer(),
  },
  open,
)
/** Of somebody who was removed: what they made goes on to work for whoever has it. */
export const RemovedAnswer = answerOf(
  {
    deleted: Type.Boolean(),
    tokens: Type.Array(TokenShape, {
      description: 'Tokens that they made, which still work: revoke what nobody needs.',
    }),
    shares: Type.Array(ShareShape, { description: 'Share links that they made, which still work.' }),
  },
  'Gone, and what is left.',
)
export const NewShareAnswer = answerOf({ share: ShareShape, url: Type.String() }, 'The link, shown once.')
export const SharePage = answerOf({ data: Type.Array(ShareShape), ...pageFields }, 'A page, newest first.')
export const OpenShareAnswer = answerOf(
  {
    access_token: Type.String({ description: 'A bearer token for the figures of the property, for twelve hours.' }),
    expires_ts: Type.Integer(),
    property: Type.Object({ id: Type.String(), name: Type.String() }),
  },
  'What the link lets see.',
)

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
export const SessionParams = Type.Object({ session: Type.String() })

export const NewFactorAnswer = answerOf(
  { secret: Type.String(), otpauth_url: Type.String() },
  'For the authenticator. It counts once a code of it was confirmed.',
)
export const RecoveryCodesAnswer = answerOf(
  { recovery_codes: Type.Array(Type.String()) },
  'Shown once; each is good once, in place of a code. Earlier ones stop working.',
)

const OwnSessionShape = Type.Object(
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
export const OwnSessions = answerOf({ data: Type.Array(OwnSessionShape) }, 'Where you are signed in, newest first.')
