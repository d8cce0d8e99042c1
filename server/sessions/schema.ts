// Bodies of the session actions, for the authenticated endpoints and for the tracker: checked by these,
// documented by these.
import { Type } from 'typebox'
import { described, type JsonOf, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'
import { MAX_MINOR } from '../kernel/money.ts'
import {
  MAX_EVENT_NAME,
  MAX_IDEMPOTENCY_KEY,
  MAX_META_KEY,
  MAX_META_KEYS,
  MAX_SESSION_TAGS,
  MAX_TAG,
  MAX_TAGS,
  MAX_VALUE,
  type Scalar,
} from './session-model.ts'

export const EventName = Type.String({ minLength: 1, maxLength: MAX_EVENT_NAME })

/** One schema with several types instead of a union: a wrong value is then one error and not four. */
export const EventValue = Type.Optional(
  Type.Unsafe<Scalar>({
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: MAX_VALUE,
    description: 'Any scalar; stored as a string. Numeric strings can be filtered by event_value_num.',
  }),
)

export const EventMeta = Type.Optional(
  Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    maxProperties: MAX_META_KEYS,
    propertyNames: { minLength: 1, maxLength: MAX_META_KEY },
    description: 'Key and value pairs; values are stored as strings, nested ones as JSON.',
  }),
)

export const IdempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_IDEMPOTENCY_KEY,
    description:
      'Any text that names this event within its session. Of calls with the same one the first stands: it counts once, and webhooks are sent once. For callers that repeat a call that was not answered, or with 503.',
  }),
)

export const acquisitionFields = {
  value: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_MINOR,
      description: 'Revenue in minor units of the currency; in US dollars, too, at most that many cents.',
    }),
  ),
  currency_code: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 3,
      description: 'ISO 4217. Default: the currency of the session, else USD.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_TAG }), {
      maxItems: MAX_TAGS,
      description: `Merged with the tags of the session, at most ${MAX_SESSION_TAGS} in all. {source}:order:{id} is an order reference.`,
    }),
  ),
}

/** Null is read as absent: form libraries send it for an empty field. */
const OptionalId = Type.Optional(MaybeText)

export const sessionIdFields = { session_id: OptionalId, svc_session_id: OptionalId }

export const EventBody = Type.Object({
  ...sessionIdFields,
  name: EventName,
  value: EventValue,
  meta: EventMeta,
  idempotency_key: IdempotencyKey,
})

export const AcquisitionBody = Type.Object({
  ...sessionIdFields,
  ...acquisitionFields,
  cost: Type.Optional(Type.Integer({ minimum: 0, description: 'Accepted for compatibility; changes nothing.' })),
})

export const SessionHeaders = Type.Object({
  'x-service-session-id': Type.Optional(Type.String({ description: 'The session, when the body has no session_id.' })),
})

const amount = Type.Integer({ description: 'Minor units.' })
const MoneyShape = Type.Object({ amount, amount_usd: amount, currency: Type.String() }, open)
export type MoneyJson = JsonOf<typeof MoneyShape>
export const MoneyAnswer = described(orNull(MoneyShape), 'Null while no value was recorded.')

export const TagsAnswer = Type.Object({ tags: Type.Array(Type.String()) }, open)

/** An event as it is answered. */
export const EventShape = Type.Object(
  {
    id: Type.String(),
    session_id: Type.String(),
    type: oneOf(['event']),
    name: Type.String(),
    value: MaybeText,
    meta: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    created_ts: Type.Integer(),
  },
  open,
)
export type EventJson = JsonOf<typeof EventShape>

export const AcquisitionShape = Type.Object(
  { id: Type.String(), acquisition_meta: TagsAnswer, value: MoneyAnswer },
  open,
)
export type AcquisitionJson = JsonOf<typeof AcquisitionShape>
