// The statements about the run log: deliveries as their owner looks at them. Every one names its automation
// or session.
import { nameOf } from '../automations/automation-model.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import type { Records } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { DeliveryRow } from './queue-records.ts'
import type { State } from './delivery-model.ts'

export interface AutomationKey {
  readonly propertyId: string
  readonly automationId: string
}

const columns = [
  'id',
  'automation_id',
  'action_id',
  'url',
  'payload',
  'event_type',
  'event_value',
  'conversion_id',
  'session_day',
  'session',
  'submission_id',
  'contact_id',
  'is_test',
  'state',
  'attempts',
  'max_attempts',
  'next_attempt_ms',
  'claim',
  'created_ms',
  'finished_ms',
] as const

/** Without the bytes. */
export type ListedDelivery = Pick<DeliveryRow, (typeof columns)[number]>
export type AttemptRow = Omit<RecordTables['delivery_attempts'], 'seq' | 'property_id'>

const deliveriesOf = (records: Records, { propertyId, automationId }: AutomationKey) =>
  records.selectFrom('deliveries').where('property_id', '=', propertyId).where('automation_id', '=', automationId)

/** Newest first. */
export async function listDeliveryRows(
  records: Records,
  key: AutomationKey,
  state: State | undefined,
  query: PageQuery,
): Promise<{ rows: ListedDelivery[]; total: number }> {
  const wanted = deliveriesOf(records, key).$if(state !== undefined, (rows) => rows.where('state', '=', state!))
  const rows = await wanted
    .select(columns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  const { total } = await records
    .selectFrom('deliveries')
    .select((of) => of.fn.countAll<number>().as('total'))
    // Without its property, by which SQLite would count: through all automations of it.
    .where('automation_id', '=', key.automationId)
    .$if(state !== undefined, (rows) => rows.where('state', '=', state!))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

export type LastDelivery = Pick<DeliveryRow, 'automation_id' | 'state' | 'created_ms'>

/** The newest of each, test sends among them; found at the end of the index of its automation. */
export async function findLastDeliveries(
  records: Records,
  propertyId: string,
  automationIds: readonly string[],
): Promise<LastDelivery[]> {
  if (automationIds.length === 0) return []
  return records
    .selectFrom('deliveries')
    .select(['automation_id', 'state', 'created_ms'])
    .where('property_id', '=', propertyId)
    .where('seq', 'in', (of) =>
      of
        .selectFrom('automations')
        .where('automations.property_id', '=', propertyId)
        .where('automations.id', 'in', automationIds)
        .select((each) =>
          each
            .selectFrom('deliveries as one')
            .select('one.seq')
            .whereRef('one.automation_id', '=', 'automations.id')
            .orderBy('one.seq', 'desc')
            .limit(1)
            .as('seq'),
        ),
    )
    .execute()
}

/** Oldest first, beginning behind `after`: for reading them all. */
export async function listDeliveryRowsAfter(
  records: Records,
  key: AutomationKey,
  after: number,
  limit: number,
): Promise<(ListedDelivery & { readonly seq: number })[]> {
  return deliveriesOf(records, key)
    .select(['seq', ...columns])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function findDeliveryRow(
  records: Records,
  key: AutomationKey,
  id: string,
): Promise<(ListedDelivery & Pick<DeliveryRow, 'body'>) | undefined> {
  return deliveriesOf(records, key)
    .select([...columns, 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
}

const attemptColumns = [
  'delivery_id',
  'number',
  'is_manual',
  'started_ms',
  'duration_ms',
  'status',
  'error',
  'request_headers',
  'response_headers',
  'response_body',
] as const

/** In the order in which they were made. */
export async function listAttempts(records: Records, deliveryId: string): Promise<AttemptRow[]> {
  return records
    .selectFrom('delivery_attempts')
    .select(attemptColumns)
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute()
}

export type LastAttempt = Pick<AttemptRow, 'status' | 'error'>

/** The last one of each, by the id of its delivery. */
export async function findLastAttempts(
  records: Records,
  rows: readonly ListedDelivery[],
): Promise<ReadonlyMap<string, LastAttempt>> {
  const tried = rows.filter(({ attempts }) => attempts > 0)
  if (tried.length === 0) return new Map()
  const found = await records
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'status', 'error'])
    .where((of) =>
      of.or(tried.map(({ id, attempts }) => of.and([of('delivery_id', '=', id), of('number', '=', attempts)]))),
    )
    .execute()
  return new Map(found.map(({ delivery_id, status, error }) => [delivery_id, { status, error }]))
}

/**
 * One more attempt at once, before all others. `finished_ms` stays set until it is over: that marks a manual
 * retry. False unless the delivery may be sent: failed, arrived or held, and with something left to send.
 */
export async function requestRetry(records: Records, key: AutomationKey, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('deliveries')
    .set((of) => ({
      state: 'pending',
      priority: 0,
      next_attempt_ms: nowMs,
      claim: null,
      finished_ms: nowMs,
      max_attempts: of
        .case()
        .when('state', '=', 'held')
        .then(of('max_attempts', '+', 1))
        .else(of('attempts', '+', 1))
        .end(),
    }))
    .where('property_id', '=', key.propertyId)
    .where('automation_id', '=', key.automationId)
    .where('id', '=', id)
    .where('state', 'in', ['failed', 'delivered', 'held'])
    .where((of) => of.or([of('body', 'is not', null), of('event', 'is not', null), of('is_test', '=', 1)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

// ---------------------------------------------------------------- of one session, for its story

const MOST_DELIVERIES = 100

export interface SessionDelivery {
  readonly id: string
  readonly automationId: string
  /** Of the automation. */
  readonly name: string
  readonly url: string
  readonly state: State
  readonly atMs: number
}

/** In the order in which they were enqueued. */
export async function listSessionDeliveries(
  records: Records,
  propertyId: string,
  session: SessionRef,
): Promise<SessionDelivery[]> {
  const rows = await records
    .selectFrom('deliveries as delivery')
    .innerJoin('automations as automation', 'automation.id', 'delivery.automation_id')
    .select(['delivery.id', 'automation.name', 'delivery.event_type', 'delivery.url', 'delivery.state'])
    .select(['delivery.created_ms', 'delivery.automation_id'])
    .where('delivery.property_id', '=', propertyId)
    .where('delivery.session_day', '=', session.day)
    .where('delivery.session', '=', session.hash.toString())
    .where('delivery.is_test', '=', 0)
    .orderBy('delivery.seq')
    .limit(MOST_DELIVERIES)
    .execute()
  return rows.map(({ id, name, event_type, url, state, created_ms, automation_id }) => ({
    id,
    automationId: automation_id,
    name: nameOf({ name, event_type: event_type as TriggerType }),
    url,
    state,
    atMs: created_ms,
  }))
}
