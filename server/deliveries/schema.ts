// What the run log's endpoints take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import {
  described,
  type JsonOf,
  MaybeNumber,
  MaybeText,
  MomentCell,
  oneOf,
  open,
  pageFields,
  pageQuery,
  rowOf,
  textCells,
  YesCell,
} from '../http/shapes.ts'
import { payloads } from '../automations/automation-model.ts'
import { states } from './delivery-model.ts'

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(oneOf([...states, ''], 'Those in this state alone; all when empty.')),
  ...pageQuery,
})

const deliveryFields = {
  id: Type.String({ description: 'A ULID: the id of the envelope, and what a receiver tells repetitions by.' }),
  automation_id: Type.String(),
  action_id: Type.String(),
  url: Type.String(),
  payload: oneOf(payloads),
  trigger: Type.Object({ event_type: Type.String(), event_value: MaybeText }, open),
  conversion_id: MaybeText,
  session_id: MaybeText,
  contact_id: MaybeText,
  form_submit_id: MaybeText,
  is_test: Type.Boolean(),
  state: oneOf(
    states,
    '`pending`: an attempt is due or under way; `held`: waits for its automation to be switched on; `skipped`: the condition was not met; `erased`: its person was.',
  ),
  attempts: Type.Integer({ description: 'Made so far.' }),
  max_attempts: Type.Integer(),
  last_status: MaybeNumber,
  last_error: MaybeText,
  next_attempt_ts: MaybeNumber,
  created_ts: Type.Integer(),
  finished_ts: MaybeNumber,
}

const Headers = Type.Record(Type.String(), Type.String())

const AttemptShape = Type.Object(
  {
    number: Type.Integer(),
    is_manual: Type.Boolean(),
    started_ts: Type.Integer(),
    duration_ms: Type.Integer(),
    status: described(MaybeNumber, 'null: there was no answer.'),
    error: described(MaybeText, 'null: it arrived.'),
    signature: MaybeText,
    request_headers: Headers,
    response_headers: Headers,
    response_body: Type.String({ description: 'Its first 4 KiB.' }),
  },
  open,
)

export type AttemptJson = JsonOf<typeof AttemptShape>

const IsSending = Type.Boolean({
  description: 'false: this node sends no webhooks, because its address guard failed the test at the start.',
})

const DeliveryShape = Type.Object(deliveryFields, open)
export type DeliveryJson = JsonOf<typeof DeliveryShape>
export const listFields = { ...pageFields(DeliveryShape), is_sending: IsSending }

const WholeShape = Type.Object(
  {
    ...deliveryFields,
    body: described(MaybeText, 'The bytes of every attempt; null until they are made, and once they are erased.'),
    body_sha256: MaybeText,
    attempts_made: Type.Array(AttemptShape),
  },
  open,
)
export type WholeDeliveryJson = JsonOf<typeof WholeShape>
export const deliveryAnswer = { delivery: WholeShape, is_sending: IsSending }

/** Of a CSV file. */
export const DeliveryRow = rowOf({
  ...textCells(['id', 'automation_id', 'url', 'payload', 'event_type', 'event_value', 'conversion_id']),
  ...textCells(['session_id', 'contact_id', 'form_submit_id']),
  is_test: YesCell,
  state: oneOf(states),
  attempts: Type.Integer({ minimum: 0 }),
  last_status: MaybeNumber,
  last_error: Type.String(),
  created_at: MomentCell,
  finished_at: Type.Union([MomentCell, Type.Literal('')]),
})
