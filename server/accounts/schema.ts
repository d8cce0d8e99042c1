// What the interface of accounts takes and answers; checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, MaybeText, open, pageQuery } from '../http/shapes.ts'
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
  { id: Type.String(), key: Type.String(), name: Type.String(), role: RoleShape },
  open,
)

export const SessionAnswer = answerOf(
  {
    user: Type.Unsafe<object | null>({ ...UserShape, type: ['object', 'null'] }),
    properties: Type.Array(OwnPropertyShape),
    is_setup_open: Type.Boolean({ description: 'Nobody has used the one-time link for the first owner yet.' }),
    version: Type.String(),
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
export const MaybeTextShape = MaybeText
