// What the endpoints of reports take and answer.
import { type TObject, Type } from 'typebox'
import { type JsonOf, open } from '../http/shapes.ts'
import { ReaderShape } from '../form-mail/schema.ts'
import { MAX_SUBSCRIBERS } from '../subscriptions/subscriptions.ts'

const MAX_EMAIL = 255

const ListShape = Type.Object(
  {
    recipients: Type.Array(ReaderShape),
    next_ts: Type.Integer({ description: 'When the next one is due.' }),
  },
  open,
)

export const reportsFields = {
  missing: Type.Array(Type.String(), { description: 'Settings without which nothing is sent.' }),
  weekly: ListShape,
  monthly: ListShape,
}
export type ReportsJson = JsonOf<TObject<typeof reportsFields>>

const Emails = Type.Optional(
  Type.Array(Type.String({ maxLength: MAX_EMAIL }), {
    maxItems: MAX_SUBSCRIBERS,
    description: 'Email addresses, in place of those before; of people with or without an account.',
  }),
)
export const ReportsBody = Type.Object({ weekly: Emails, monthly: Emails })
export type ReportsChange = JsonOf<typeof ReportsBody>

export const previewFields = {
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
}
export type PreviewJson = JsonOf<TObject<typeof previewFields>>

export const sentFields = { to: Type.String({ description: 'Your email address.' }) }
