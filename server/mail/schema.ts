// What the endpoints of mail take and answer: checked by these, documented by these.
import { type TObject, Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, pageQuery } from '../http/shapes.ts'
import { kinds, states } from './mail-model.ts'

const MAX_EMAIL = 255

export const MailsQuery = Type.Object({
  state: Type.Optional(oneOf([...states, ''], 'Those in this state alone; all when empty.')),
  ...pageQuery,
})

export const MailShape = Type.Object(
  {
    id: Type.String({ examples: ['ml_…'] }),
    property_id: described(MaybeText, 'null: about the installation or an account.'),
    kind: oneOf(kinds),
    to: Type.String({ description: 'Empty once the person was erased.' }),
    subject: Type.String(),
    state: oneOf(
      states,
      '`pending`: an attempt is due or under way; `sent`: the mail server has taken it; `failed`: it will not be sent; `erased`: its person was.',
    ),
    attempts: Type.Integer({ description: 'Made so far.' }),
    error: described(MaybeText, 'Why the last attempt failed, in the words of the mail server.'),
    next_attempt_ts: described(MaybeNumber, 'While it waits for another attempt.'),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
  },
  open,
)
export type MailJson = JsonOf<typeof MailShape>

export const statusFields = {
  is_on: Type.Boolean({ description: 'Mail is sent: nothing is missing.' }),
  missing: Type.Array(Type.String(), { description: 'Settings that are not set.' }),
  from: described(MaybeText, 'MAIL_FROM.'),
  server: described(MaybeText, 'Host and port of SMTP_URL.'),
  encryption: oneOf(['secure', 'required', 'optional', 'off', null], 'How the connection is encrypted.'),
}
export type MailStatusJson = JsonOf<TObject<typeof statusFields>>

export const TestMail = Type.Object({ to: Type.String({ minLength: 1, maxLength: MAX_EMAIL }) })
