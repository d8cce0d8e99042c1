// From a trigger to the deliveries that follow from it. Their bodies are made later, before the first attempt: nobody who makes a fact
// waits for what is only told about it.
import { hash } from 'node:crypto'
import { type Deps } from '../kernel/deps.ts'
import { type Listener, type Trigger, type Triggers, type TriggerType } from '../kernel/triggers.ts'
import { openUlids } from '../kernel/ulid.ts'
import { openDirectory } from '../properties/directory.ts'
import { selectListeners } from './listener-records.ts'
import { matches } from './match.ts'
import { insertDeliveries, type NewDelivery } from './outbox-records.ts'

/** Without the records the automations that were known stay known, as properties do. */
const STALE_MS = 600_000

/** Lower goes first: a lead is worth more by the minute than a change of a contact. */
export const priorities: Readonly<Record<TriggerType, number>> = {
  form_submit: 0,
  identify: 1,
  acquisition: 1,
  event: 1,
  page_view: 2,
  contact: 3,
}

const LANE_LETTERS = 16

/** Deliveries to one address form a lane. */
export const laneOf = (url: string): string => hash('sha256', url).slice(0, LANE_LETTERS)

export type OutboxDeps = Pick<Deps, 'config' | 'records' | 'now' | 'randomBytes'>

interface Origin {
  readonly id: string
  readonly nowMs: number
  readonly maxAttempts: number
}

function deliveryRow(
  listener: Listener,
  action: Listener['actions'][number],
  { event, session, contactId }: Trigger,
  { id, nowMs, maxAttempts }: Origin,
): NewDelivery {
  return {
    id,
    property_id: listener.propertyId,
    automation_id: listener.automationId,
    action_id: action.id,
    url: action.url,
    lane: laneOf(action.url),
    payload: action.payload,
    priority: priorities[event.type],
    event_type: event.type,
    event_value: listener.eventValue,
    event: JSON.stringify(event),
    conversion_id: listener.conversionId,
    session_day: session?.day ?? null,
    session: session?.hash.toString() ?? null,
    submission_id: event.form_submit_id,
    contact_id: contactId ?? null,
    is_test: 0,
    state: 'pending',
    attempts: 0,
    max_attempts: maxAttempts,
    next_attempt_ms: nowMs,
    claim: null,
    created_ms: nowMs,
    finished_ms: null,
    body: null,
  }
}

export interface Outbox extends Triggers {
  /** After a change of the property's automations on this node; other nodes notice within two seconds. */
  forget(propertyId: string): void
  /** Whoever sends: told of new deliveries. */
  onWake(listener: () => void): void
}

const none: readonly Listener[] = []

export function openOutbox(deps: OutboxDeps): Outbox {
  const nextId = openUlids(deps)
  const maxAttempts = deps.config.webhookRetryDelays.length + 1
  const wakers = new Set<() => void>()
  const directory = openDirectory<{ readonly id: string; readonly listeners: readonly Listener[] }>({
    now: deps.now,
    staleMs: STALE_MS,
    load: async (ids) => {
      const found = await selectListeners(deps.records, ids)
      return new Map([...found].map(([id, listeners]) => [id, { id, listeners }]))
    },
  })
  const ofType = (listeners: readonly Listener[] | undefined, type: TriggerType): readonly Listener[] =>
    listeners && listeners.length > 0 ? listeners.filter(({ eventType }) => eventType === type) : none

  return {
    listeners(propertyId, type) {
      const found = directory.get(propertyId)
      return found instanceof Promise
        ? found.then((row) => ofType(row?.listeners, type))
        : ofType(found?.listeners, type)
    },
    async enqueue(records, listeners, trigger) {
      const nowMs = deps.now()
      const rows = listeners
        .filter((listener) => matches(listener, trigger))
        .flatMap((listener) =>
          listener.actions.map((action) =>
            deliveryRow(listener, action, trigger, { id: nextId(), nowMs, maxAttempts }),
          ),
        )
      if (rows.length > 0) await insertDeliveries(records, rows)
    },
    wake() {
      for (const wake of wakers) wake()
    },
    forget: (propertyId) => directory.forget(({ id }) => id === propertyId),
    onWake: (listener) => void wakers.add(listener),
  }
}
