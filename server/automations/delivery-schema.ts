// What the run log's endpoints take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, MaybeNumber, MaybeText, open, pageQuery } from '../http/shapes.ts'
import { type State, states } from './delivery-records.ts'

export const AutomationParams = Type.Object({ property: Type.String(), automation: Type.String() })
export const DeliveryParams = Type.Object({
  property: Type.String(),
  automation: Type.String(),
  delivery: Type.String(),
})

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(
    Type.Unsafe<State | ''>({ enum: [...states, ''], description: 'Those in this state alone; all when empty.' }),
  ),
  ...pageQuery,
})

const deliveryFields = {
  id: Type.String({ description: 'A ULID: the id of the envelope, and what a receiver tells repetitions by.' }),
  automation_id: Type.String(),
  action_id: Type.String(),
  url: Type.String(),
  payload: Type.String(),
  trigger: Type.Object({ event_type: Type.String(), event_value: MaybeText }, open),
  conversion_id: MaybeText,
  session_id: MaybeText,
  contact_id: MaybeText,
  form_submit_id: MaybeText,
  is_test: Type.Boolean(),
  state: Type.Unsafe<State>({
    enum: [...states],
    description:
      '`pending`: an attempt is due or under way; `held`: waits for its automation to be switched on; `skipped`: the condition was not met; `erased`: its person was.',
  }),
  attempts: Type.Integer({ description: 'Made so far.' }),
  max_attempts: Type.Integer(),
  last_status: MaybeNumber,
  last_error: MaybeText,
  next_attempt_ts: MaybeNumber,
  created_ts: Type.Integer(),
  finished_ts: MaybeNumber,
}

const Headers = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })

const AttemptShape = Type.Object(
  {
    number: Type.Integer(),
    is_manual: Type.Boolean(),
    started_ts: Type.Integer(),
    duration_ms: Type.Integer(),
    status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null: there was no answer.' }),
    error: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null: it arrived.' }),
    signature: MaybeText,
    request_headers: Headers,
    response_headers: Headers,
    response_body: Type.String({ description: 'Its first 4 KiB.' }),
  },
  open,
)

const IsSending = Type.Boolean({
  description: 'false: this node sends no webhooks, because its address guard failed the test at the start.',
})

export const DeliveryPage = answerOf(
  { data: Type.Array(Type.Object(deliveryFields, open)), is_sending: IsSending, ...linkedPageFields },
  'Newest first.',
)
export const DeliveryAnswer = answerOf({
  delivery: Type.Object(
    {
      ...deliveryFields,
      body: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The bytes of every attempt; null until they are made, and once they are erased.',
      }),
      body_sha256: MaybeText,
      attempts_made: Type.Array(AttemptShape),
    },
    open,
  ),
  is_sending: IsSending,
})
