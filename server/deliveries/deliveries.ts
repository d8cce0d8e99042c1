// The run log of an automation: what was sent, what was answered, and one more attempt on request.
import { hash } from 'node:crypto'
import type { Deps } from '../kernel/deps.ts'
import { sessionId } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'
import type { PageQuery } from '../kernel/page.ts'
import { Problem } from '../kernel/problem.ts'
import {
  requestRetry,
  type AttemptRow,
  type AutomationKey,
  findDeliveryRow,
  findLastAttempts,
  findLastDeliveries,
  type LastAttempt,
  type ListedDelivery,
  listAttempts,
  listDeliveryRows,
  listDeliveryRowsAfter,
} from './records.ts'
import type { State } from './delivery-model.ts'
import type { AttemptJson, DeliveryJson, WholeDeliveryJson } from './schema.ts'
import type { ListedAutomationJson } from '../automations/schema.ts'

export type { DeliveryJson } from './schema.ts'
export { listSessionDeliveries, type SessionDelivery } from './records.ts'

type LogDeps = Pick<Deps, 'records' | 'keys' | 'now'>

/** A ULID: anything else is not even looked up. */
const idShape = /^[0-9A-HJKMNP-TV-Z]{26}$/

const notFound = () => new Problem('not_found', 'The delivery is not in this automation.')
const seconds = (ms: number): number => Math.floor(ms / 1000)

function sessionOf(keys: Keys, propertyId: string, { session_day: day, session }: ListedDelivery): string | null {
  return day === null || session === null ? null : sessionId(keys, propertyId, { day, hash: BigInt(session) })
}

/** While an attempt is under way its lease is not the time of the next one. */
const nextOf = ({ state, claim, next_attempt_ms }: ListedDelivery): number | null =>
  state === 'pending' && claim === null ? seconds(next_attempt_ms) : null

function shown(keys: Keys, propertyId: string, row: ListedDelivery, last: LastAttempt | undefined): DeliveryJson {
  return {
    id: row.id,
    automation_id: row.automation_id,
    action_id: row.action_id,
    url: row.url,
    payload: row.payload,
    trigger: { event_type: row.event_type, event_value: row.event_value },
    conversion_id: row.conversion_id,
    session_id: sessionOf(keys, propertyId, row),
    contact_id: row.contact_id,
    form_submit_id: row.submission_id,
    is_test: row.is_test === 1,
    state: row.state,
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    next_attempt_ts: nextOf(row),
    created_ts: seconds(row.created_ms),
    finished_ts: row.finished_ms === null || row.state === 'pending' ? null : seconds(row.finished_ms),
  }
}

function shownAttempt(row: AttemptRow): AttemptJson {
  const requestHeaders = JSON.parse(row.request_headers) as Record<string, string>
  return {
    number: row.number,
    is_manual: row.is_manual === 1,
    started_ts: seconds(row.started_ms),
    duration_ms: row.duration_ms,
    status: row.status,
    error: row.error,
    signature: requestHeaders['X-Service-Signature'] ?? null,
    request_headers: requestHeaders,
    response_headers: JSON.parse(row.response_headers) as Record<string, string>,
    response_body: row.response_body,
  }
}

/** The newest delivery of each automation, by its id, for the list of automations. */
export async function readLastDeliveries(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  automationIds: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ListedAutomationJson['last_delivery']>>> {
  const rows = await findLastDeliveries(records, propertyId, automationIds)
  return new Map(
    rows.map(({ automation_id, state, created_ms }) => [automation_id, { state, created_ts: seconds(created_ms) }]),
  )
}

/** Newest first, without the bytes. */
export async function listDeliveries(
  { records, keys }: LogDeps,
  key: AutomationKey,
  state: State | undefined,
  query: PageQuery,
): Promise<{ rows: DeliveryJson[]; total: number }> {
  const { rows, total } = await listDeliveryRows(records, key, state, query)
  const last = await findLastAttempts(records, rows)
  return { rows: rows.map((row) => shown(keys, key.propertyId, row, last.get(row.id))), total }
}

/** One statement takes some milliseconds. */
const ROWS_AT_ONCE = 200

/** All of them, the oldest first, without the bytes. Each batch is read when it is needed. */
export async function* deliveryBatches({ records, keys }: LogDeps, key: AutomationKey): AsyncGenerator<DeliveryJson[]> {
  for (let after = 0; ;) {
    const rows = await listDeliveryRowsAfter(records, key, after, ROWS_AT_ONCE)
    const final = rows.at(-1)
    if (!final) return
    const last = await findLastAttempts(records, rows)
    yield rows.map((row) => shown(keys, key.propertyId, row, last.get(row.id)))
    after = final.seq
  }
}

/** @returns also what was sent, and every attempt. @throws Problem('not_found') */
export async function getDelivery(
  { records, keys }: LogDeps,
  key: AutomationKey,
  id: string,
): Promise<WholeDeliveryJson> {
  const row = idShape.test(id) ? await findDeliveryRow(records, key, id) : undefined
  if (!row) throw notFound()
  const attempts = await listAttempts(records, id)
  return {
    ...shown(keys, key.propertyId, row, attempts.at(-1)),
    body: row.body,
    body_sha256: row.body === null ? null : hash('sha256', row.body),
    attempts_made: attempts.map(shownAttempt),
  }
}

const refusals: Readonly<Record<State, string>> = {
  pending: 'The delivery is on its way already.',
  skipped: 'The delivery was skipped: its condition was not met, so there is nothing to send.',
  erased: 'The delivery was erased with its person.',
  held: 'There is nothing left to send: its content was erased.',
  delivered: 'There is nothing left to send: its content was erased.',
  failed: 'There is nothing left to send: its content was erased.',
}

/**
 * With the same id and the same bytes.
 * @throws Problem: not_found; validation_failed when there is nothing to send
 */
export async function retryDelivery(deps: LogDeps, key: AutomationKey, id: string) {
  const before = await getDelivery(deps, key, id)
  if (!(await requestRetry(deps.records, key, id, deps.now())))
    throw new Problem('validation_failed', refusals[before.state])
  return getDelivery(deps, key, id)
}
