// The shape of the records of automations: what fires, what it calls, and every delivery with its attempts.
// The last interface names the tables.
import type { Generated } from 'kysely'
import type { Payload } from '../../kernel/payloads.ts'

interface ConversionTable {
  seq: Generated<number>
  id: string
  property_id: string
  name: string
  event_type: string
  /** Event name, page path pattern or form id; null: any. */
  event_value: string | null
  created_ts: number
}

interface AutomationTable {
  /** The order of the list. */
  seq: Generated<number>
  id: string
  property_id: string
  /** null: it goes by the label of its trigger. */
  name: string | null
  event_type: string
  event_value: string | null
  /** Fires only for sessions that have met it. */
  conversion_id: string | null
  /** JSON array of {id, type, url, payload}. */
  actions: string
  is_active: number
  /** Why and when the service switched it off; null while it did not. */
  disabled_reason: string | null
  disabled_ts: number | null
  /** Failed deliveries since the last one that arrived. */
  failures: number
  /** Encrypted under SECRET. */
  secret: string
  /** The one before, and until when it signs as well; null within an hour after its time. */
  previous_secret: string | null
  previous_until_ts: number | null
  created_ts: number
  updated_ts: number
}

/**
 * One call of one webhook: the outbox, the queue and the run log in one. A row that is `pending` is taken by
 * moving `next_attempt_ms` to the end of a lease and writing a new `claim`; who dies gives it back by doing
 * nothing.
 */
interface DeliveryTable {
  seq: Generated<number>
  /** ULID: the envelope's id. */
  id: string
  property_id: string
  automation_id: string
  action_id: string
  url: string
  /** Deliveries of one endpoint wait for each other and for no other: a hash of the url. */
  lane: string
  payload: Payload
  /** Lower goes first within its lane: a lead is not held up by a hundred thousand contact changes. */
  priority: number
  event_type: string
  /** What the automation subscribed to. */
  event_value: string | null
  /** JSON of TriggerEvent (kernel/triggers.ts), null in a test send. */
  event: string | null
  /** Of an event that may be put down again, what it is known by; it stays when the delivery is erased. */
  event_id: string | null
  conversion_id: string | null
  session_day: number | null
  session: string | null
  submission_id: string | null
  contact_id: string | null
  is_test: number
  /**
   * `held`: waits for its automation to be switched on again; `skipped`: the condition was not met; `erased`:
   * its person was.
   */
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'skipped' | 'erased'
  attempts: number
  /** Past it the delivery has failed; a manual retry adds one. */
  max_attempts: number
  next_attempt_ms: number
  /** Whoever holds it may write the outcome. */
  claim: string | null
  created_ms: number
  finished_ms: number | null
  /** The bytes of every attempt, made before the first one; null until then. */
  body: string | null
}

/**
 * An automation that was told of a submission which had been dropped; kept when its delivery goes, for as
 * long as both are there.
 */
interface ToldSubmissionTable {
  submission_id: string
  automation_id: string
}

interface DeliveryAttemptTable {
  seq: Generated<number>
  delivery_id: string
  property_id: string
  /** From 1. */
  number: number
  is_manual: number
  started_ms: number
  duration_ms: number
  /** HTTP status; null without an answer. */
  status: number | null
  /** Why there was none, or why it counts as failed. */
  error: string | null
  /** JSON object; the signature is that of this attempt. */
  request_headers: string
  /** JSON object. */
  response_headers: string
  /** The first kilobytes, as text. */
  response_body: string
}

export interface AutomationTables {
  conversions: ConversionTable
  automations: AutomationTable
  deliveries: DeliveryTable
  delivery_attempts: DeliveryAttemptTable
  told_submissions: ToldSubmissionTable
}
