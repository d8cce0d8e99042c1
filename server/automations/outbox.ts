// From a trigger to the deliveries that follow from it. Their bodies are rendered later, before the first
// attempt, so that the call that makes the fact does not wait for them.
import { hash } from 'node:crypto'
import type { Deps } from '../kernel/deps.ts'
import type { Listener, Trigger, Triggers } from '../kernel/triggers.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import { propertyNotFound } from '../kernel/problem.ts'
import { openUlids } from '../kernel/ulid.ts'
import { openDirectory } from '../queues/directory.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Records, Tx } from '../stores/records.ts'
import { openGather } from '../queues/gather.ts'
import { selectListeners } from './listener-records.ts'
import { matches } from './match.ts'
import { openPriorities, type PriorityOf } from './priority.ts'
import { insertDeliveries, lockEvent, type NewDelivery, selectNotified } from '../deliveries/queue-records.ts'

/** Without the records the automations that were known stay known, as properties do. */
const STALE_MS = 600_000

const LANE_LETTERS = 16

/** Deliveries to one address form a lane. */
export const laneOf = (url: string): string => hash('sha256', url).slice(0, LANE_LETTERS)

export type OutboxDeps = Pick<Deps, 'config' | 'records' | 'now' | 'randomBytes'>

interface Origin {
  readonly id: string
  readonly priority: number
  readonly nowMs: number
  readonly maxAttempts: number
}

/** A test send: about nobody, at once, with a single attempt. */
function testRow(
  { automationId, propertyId, eventType, eventValue }: Omit<Listener, 'actions'>,
  { id: actionId, url, payload }: Listener['actions'][number],
  { id, priority, nowMs, maxAttempts }: Origin,
): NewDelivery {
  return {
    id,
    property_id: propertyId,
    automation_id: automationId,
    action_id: actionId,
    url,
    lane: laneOf(url),
    payload,
    priority,
    event_type: eventType,
    event_value: eventValue,
    event: null,
    event_id: null,
    conversion_id: null,
    session_day: null,
    session: null,
    submission_id: null,
    contact_id: null,
    is_test: 1,
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

function deliveryRow(
  listener: Listener,
  action: Listener['actions'][number],
  { event, session, contactId, isRepeat }: Trigger,
  origin: Origin,
): NewDelivery {
  return {
    ...testRow(listener, action, origin),
    event: JSON.stringify(event),
    event_id: isRepeat ? event.id : null,
    conversion_id: listener.conversionId,
    session_day: session?.day ?? null,
    session: session?.hash.toString() ?? null,
    submission_id: event.form_submit_id,
    contact_id: contactId ?? null,
    is_test: 0,
  }
}

async function notNotified(
  records: Tx | Records,
  listeners: readonly Listener[],
  trigger: Trigger,
): Promise<readonly Listener[]> {
  const [first] = listeners
  if (!first) return listeners
  const notified = await selectNotified(records, first.propertyId, trigger)
  return listeners.filter(({ automationId }) => !notified.has(automationId))
}

export interface Outbox extends Triggers {
  /** After a change of the property's automations on this node; other nodes notice within two seconds. */
  forget(propertyId: string): void
  /**
   * One test send for each action, whether or not the automation is switched on.
   * @returns the ids of the deliveries.
   */
  enqueueTest(listener: Listener): Promise<string[]>
  /** The listener is called when there are new deliveries. */
  onWake(listener: () => void): void
}

const none: readonly Listener[] = []

/**
 * Inserts rows that belong to no transaction. Each call waits for a commit, so those of one moment share one:
 * all of them are stored, or none is.
 */
function openInserting(records: Records): (rows: readonly NewDelivery[]) => Promise<unknown> {
  return openGather<readonly NewDelivery[], never>({
    groupOf: ([first]) => first?.property_id ?? '',
    keyOf: ([first]) => first?.id ?? '',
    load: async (rows) => {
      await insertDeliveries(records, rows.flat())
      return new Map<string, never>()
    },
  })
}

interface Writing {
  readonly records: Records
  /** A row for each action of each listener. */
  readonly rowsOf: (listeners: readonly Listener[], trigger: Trigger, priority: number) => NewDelivery[]
  readonly priorityOf: PriorityOf
}

/** @returns enqueue. */
function openEnqueue({ records: own, rowsOf, priorityOf }: Writing): Triggers['enqueue'] {
  const insert = openInserting(own)
  const insertFor = async (
    records: Tx | Records,
    listeners: readonly Listener[],
    trigger: Trigger,
  ): Promise<boolean> => {
    const [first] = listeners
    if (!first) return false
    const rows = rowsOf(listeners, trigger, await priorityOf(records, first.propertyId, trigger))
    if (rows.length === 0) return false
    await orNotFound(records === own ? insert(rows) : insertDeliveries(records, rows), propertyNotFound)
    return true
  }
  /** Of two calls at once, on whatever nodes, the second one sees what the first has enqueued. */
  const insertOnce = async (tx: Tx | Records, matching: readonly Listener[], trigger: Trigger): Promise<boolean> => {
    await lockEvent(tx, trigger)
    return insertFor(tx, await notNotified(tx, matching, trigger), trigger)
  }
  return async (records, listeners, trigger) => {
    const matching = listeners.filter((listener) => matches(listener, trigger))
    if (matching.length === 0) return false
    if (!trigger.isRepeat) return insertFor(records, matching, trigger)
    const isInTransaction = records !== own
    return isInTransaction
      ? insertOnce(records, matching, trigger)
      : own.transaction().execute((tx) => insertOnce(tx, matching, trigger))
  }
}

const openListeners = ({ now, records }: OutboxDeps) =>
  openDirectory<{ readonly id: string; readonly listeners: readonly Listener[] }>({
    now,
    staleMs: STALE_MS,
    load: async (ids) => {
      const found = await selectListeners(records, ids)
      return new Map([...found].map(([id, listeners]) => [id, { id, listeners }]))
    },
  })

const ofType = (listeners: readonly Listener[] | undefined, type: TriggerType): readonly Listener[] =>
  listeners && listeners.length > 0 ? listeners.filter(({ eventType }) => eventType === type) : none

export function openOutbox(deps: OutboxDeps): Outbox {
  const nextId = openUlids(deps)
  const maxAttempts = deps.config.webhookRetryDelays.length + 1
  const wakers = new Set<() => void>()
  const directory = openListeners(deps)
  const rowsOf: Writing['rowsOf'] = (listeners, trigger, priority) => {
    const nowMs = deps.now()
    return listeners.flatMap((listener) =>
      listener.actions.map((action) =>
        deliveryRow(listener, action, trigger, { id: nextId(), priority, nowMs, maxAttempts }),
      ),
    )
  }

  return {
    listeners(propertyId, type) {
      const found = directory.get(propertyId)
      return found instanceof Promise
        ? found.then((row) => ofType(row?.listeners, type))
        : ofType(found?.listeners, type)
    },
    enqueue: openEnqueue({ records: deps.records, rowsOf, priorityOf: openPriorities(deps.now) }),
    async enqueueTest(listener) {
      const rows = listener.actions.map((action) =>
        testRow(listener, action, { id: nextId(), priority: 0, nowMs: deps.now(), maxAttempts: 1 }),
      )
      await insertDeliveries(deps.records, rows)
      this.wake()
      return rows.map(({ id }) => id)
    },
    wake() {
      for (const wake of wakers) wake()
    },
    forget: (propertyId) => directory.forget(({ id }) => id === propertyId),
    onWake: (listener) => void wakers.add(listener),
  }
}
