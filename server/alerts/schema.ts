// What the endpoints of alerts take and answer.
import { type TObject, Type } from 'typebox'
import { ReaderShape } from '../form-mail/schema.ts'
import { type JsonOf, MaybeNumber } from '../http/shapes.ts'
import { MAX_SUBSCRIBERS } from '../subscriptions/subscriptions.ts'

const MAX_EMAIL = 255
const MAX_LIVE = 1_000_000

export const alertsFields = {
  missing: Type.Array(Type.String(), { description: 'Settings without which nothing is sent.' }),
  recipients: Type.Array(ReaderShape),
  live_visitors: MaybeNumber,
  has_sessions: Type.Boolean(),
  has_conversions: Type.Boolean(),
}
export type AlertsJson = JsonOf<TObject<typeof alertsFields>>

export const AlertsBody = Type.Object({
  recipients: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_EMAIL }), {
      maxItems: MAX_SUBSCRIBERS,
      description: 'Email addresses, in place of those before; of people with or without an account.',
    }),
  ),
  live_visitors: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_LIVE,
      description: 'Tell when more visitors than this are there now; null: never.',
    }),
  ),
  has_sessions: Type.Optional(Type.Boolean({ description: 'Tell when an hour has unusually many or few sessions.' })),
  has_conversions: Type.Optional(
    Type.Boolean({ description: 'Tell when an hour has unusually many or few conversions.' }),
  ),
})
export type AlertsChange = JsonOf<typeof AlertsBody>
