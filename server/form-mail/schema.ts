// What the endpoints of a form's mail take and answer.
import { type TObject, Type } from 'typebox'
import { described, type JsonOf, MaybeText, oneOf, open } from '../http/shapes.ts'
import { MAX_SUBSCRIBERS } from '../subscriptions/subscriptions.ts'
import { MOST_TOLD_AN_HOUR } from './form-mail-model.ts'

const MAX_EMAIL = 255

export const ReaderShape = Type.Object(
  {
    email: Type.String(),
    state: oneOf(
      ['active', 'unsubscribed'],
      '`unsubscribed`: they get nothing, until they subscribe again themselves.',
    ),
    since_ts: Type.Integer(),
    last_error: described(MaybeText, 'What the mail server said of the last email to them, when it was not sent.'),
  },
  open,
)

const confirmationMembers = {
  is_on: Type.Boolean(),
  subject: Type.String({ description: 'One line; `%field%` stands for the answer to a field.' }),
  text: Type.String({ description: 'As the subject; blank lines part paragraphs.' }),
  reply_to: Type.String({ description: 'Where answers go; empty: to MAIL_FROM.' }),
}

export const formMailFields = {
  missing: Type.Array(Type.String(), { description: 'Settings without which nothing is sent.' }),
  recipients: Type.Array(ReaderShape, { description: 'Who is told of each good submission.' }),
  confirmation: Type.Object(
    {
      ...confirmationMembers,
      fields: Type.Array(Type.String(), { description: 'What subject and text may name.' }),
    },
    { ...open, description: 'What whoever sent the form gets.' },
  ),
  most_an_hour: Type.Integer({ description: 'Submissions told one by one; those beyond come as one email an hour.' }),
}
export type FormMailJson = JsonOf<TObject<typeof formMailFields>>

const ConfirmationBody = Type.Object({
  ...confirmationMembers,
  reply_to: Type.Optional(confirmationMembers.reply_to),
})
export type ConfirmationInput = JsonOf<typeof ConfirmationBody>

export const FormMailBody = Type.Object({
  recipients: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_EMAIL }), {
      maxItems: MAX_SUBSCRIBERS,
      description: 'Email addresses, in place of those before; of people with or without an account.',
    }),
  ),
  confirmation: Type.Optional(ConfirmationBody),
  most_an_hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_TOLD_AN_HOUR,
      description: 'Submissions told one by one in an hour, 10 at first; 0: all of an hour come as one email.',
    }),
  ),
})
export type FormMailChange = JsonOf<typeof FormMailBody>
