// How deliveries change their state: by what became of them, written by the node that holds their claim, and
// with their automation, which ten failed deliveries in a row switch off. While it is off its deliveries are
// held.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'
import { sql } from 'kysely'
import type { DeliveryRow } from './queue-records.ts'
import { isManual, type Outcome } from './delivery-model.ts'

// ---------------------------------------------------------------- outcomes

/** An endpoint that has refused ten deliveries for a quarter of an hour each will not take the eleventh. */
export const FAILURES_TO_DISABLE = 10
/** Rows of one insert; each carries kilobytes. */
const ATTEMPTS_AT_ONCE = 100

type Change = Partial<Pick<DeliveryRow, 'state' | 'attempts' | 'next_attempt_ms' | 'finished_ms'>>

function changeOf({ row, ending, attempted, nowMs }: Outcome): Change {
  const attempts = row.attempts + (attempted ? 1 : 0)
  switch (ending.kind) {
    case 'delivered':
    case 'failed':
    case 'skipped':
      return { state: ending.kind, attempts, finished_ms: nowMs }
    case 'held':
      return { state: 'held', attempts, next_attempt_ms: nowMs, finished_ms: null }
    case 'retry':
      return { attempts, next_attempt_ms: ending.atMs, finished_ms: null }
    case 'unsent':
      return { next_attempt_ms: ending.atMs }
    case 'gone':
      return {}
  }
}

/**
 * A manual retry may repeat a delivery that has arrived before: its log has the failure, and it stays
 * delivered.
 */
const unlessArrived = sql<'delivered' | 'failed'>`
case when exists (select 1 from delivery_attempts where delivery_id = deliveries.id and error is null)
then ${sql.lit('delivered')} else ${sql.lit('failed')} end`

/** False when the claim was lost meanwhile: the node that has it now writes what becomes of it. */
async function settle(tx: Tx, outcome: Outcome): Promise<boolean> {
  const { seq, claim } = outcome.row
  if (outcome.ending.kind === 'gone') {
    await tx.deleteFrom('deliveries').where('seq', '=', seq).where('claim', '=', claim).execute()
    return false
  }
  const isRepeat = outcome.ending.kind === 'failed' && isManual(outcome.row)
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...changeOf(outcome), claim: null, ...(isRepeat && { state: unlessArrived }) })
    .where('seq', '=', seq)
    .where('claim', '=', claim)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const attemptsOf = ({ row, attempted }: Outcome) =>
  attempted
    ? [
        {
          delivery_id: row.id,
          property_id: row.property_id,
          number: row.attempts + 1,
          is_manual: Number(isManual(row)),
          started_ms: attempted.startedMs,
          duration_ms: attempted.durationMs,
          status: attempted.status,
          error: attempted.error,
          request_headers: JSON.stringify(attempted.requestHeaders),
          response_headers: JSON.stringify(attempted.responseHeaders),
          response_body: attempted.responseBody,
        },
      ]
    : []

async function insertAttempts(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.flatMap(attemptsOf)
  for (let at = 0; at < rows.length; at += ATTEMPTS_AT_ONCE)
    await tx
      .insertInto('delivery_attempts')
      .values(rows.slice(at, at + ATTEMPTS_AT_ONCE))
      .execute()
}

export interface Disabled {
  readonly automationId: string
  readonly propertyId: string
}

function reasonOf(failures: number, { row, attempted }: Outcome): string {
  const host = URL.parse(row.url)?.host ?? row.url
  return `${failures} deliveries in a row failed, the last one to ${host}: ${attempted?.error ?? 'unknown'}.`
}

/** The count is the database's: of two nodes that count at once none is lost. */
async function countFailure(tx: Tx, outcome: Outcome): Promise<Disabled[]> {
  const { automation_id: id, property_id: propertyId } = outcome.row
  const counted = await tx
    .updateTable('automations')
    .set((of) => ({ failures: of('failures', '+', 1) }))
    .where('id', '=', id)
    .returning(['failures', 'is_active'])
    .executeTakeFirst()
  if (!counted || counted.failures < FAILURES_TO_DISABLE || counted.is_active === 0) return []
  await tx
    .updateTable('automations')
    .set({
      is_active: 0,
      disabled_reason: reasonOf(counted.failures, outcome),
      disabled_ts: Math.floor(outcome.nowMs / 1000),
    })
    .where('id', '=', id)
    .execute()
  return [{ automationId: id, propertyId }]
}

async function countArrival(tx: Tx, { row }: Outcome): Promise<Disabled[]> {
  await tx
    .updateTable('automations')
    .set({ failures: 0 })
    .where('id', '=', row.automation_id)
    .where('failures', '>', 0)
    .execute()
  return []
}

/** Test sends count for nothing; a manual retry counts only when it arrived. */
function count(tx: Tx, outcome: Outcome): Promise<Disabled[]> | Disabled[] {
  const { row, ending, attempted } = outcome
  if (row.is_test === 1 || !attempted) return []
  if (ending.kind === 'delivered') return countArrival(tx, outcome)
  return ending.kind === 'failed' && !isManual(row) ? countFailure(tx, outcome) : []
}

/**
 * Both nodes lock automations in one order, so that they never wait for each other. Each one's outcomes stay
 * in order.
 */
const byAutomation = (a: Outcome, b: Outcome): number =>
  a.row.automation_id < b.row.automation_id ? -1 : Number(a.row.automation_id > b.row.automation_id)

export interface Written {
  /** Automations that this has switched off. */
  readonly disabled: readonly Disabled[]
  /** Those whose claim was still held. */
  readonly settled: readonly Outcome[]
}

export async function writeOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<Written> {
  const settled: Outcome[] = []
  for (const outcome of outcomes) if (await settle(tx, outcome)) settled.push(outcome)
  await insertAttempts(tx, settled)
  const disabled: Disabled[] = []
  for (const outcome of settled.toSorted(byAutomation)) disabled.push(...(await count(tx, outcome)))
  return { disabled, settled }
}

// ---------------------------------------------------------------- hold and release

const switches = {
  hold: { from: 'pending', to: 'held', isActive: 0 },
  release: { from: 'held', to: 'pending', isActive: 1 },
} as const

type Switch = (typeof switches)[keyof typeof switches]

/** An attempt under way ends as it ends; test sends and manual retries go in any case. */
const waitingIn = (records: Records | Tx, state: 'pending' | 'held') =>
  records
    .selectFrom('deliveries')
    .select('seq')
    .where('state', '=', state)
    // What is held belongs to nobody: a claim on it was lost when it was put on hold.
    .$if(state === 'pending', (rows) => rows.where('claim', 'is', null))
    .where('finished_ms', 'is', null)
    .where('is_test', '=', 0)

/**
 * Each step asks again: an automation that was switched back meanwhile ends it. PostgreSQL looks once more at
 * the conditions of the UPDATE, and not at those of the select within, when it has waited for another
 * transaction: a delivery that a node has claimed meanwhile stays as it is.
 */
function switchSome(
  records: Records | Tx,
  automationId: string,
  { from, to, isActive }: Switch,
  most: number,
): Promise<number> {
  const automation = records.selectFrom('automations').select('id').where('id', '=', automationId)
  const waiting = waitingIn(records, from).where('automation_id', '=', automationId).orderBy('seq').limit(most)
  return changedBy(
    records
      .updateTable('deliveries')
      .set({ state: to, claim: null })
      .where('seq', 'in', waiting)
      .where('state', '=', from)
      .$if(from === 'pending', (rows) => rows.where('claim', 'is', null))
      .where((of) => of.exists(automation.where('is_active', '=', isActive))),
  )
}

/** A transaction keeps others from writing: it takes so many, and the engine does the rest within seconds. */
const MOST_IN_TRANSACTION = 1_000

async function switchAll(records: Records | Tx, automationId: string, change: Switch): Promise<void> {
  if (records.isTransaction) await switchSome(records, automationId, change, MOST_IN_TRANSACTION)
  else await inSteps((most) => switchSome(records, automationId, change, most))
}

/** After an automation was switched off. Nothing happens while it is on. */
export async function holdDeliveries(records: Records | Tx, automationId: string): Promise<void> {
  await switchAll(records, automationId, switches.hold)
}

/**
 * After it was switched on again: each delivery keeps the time of its next attempt, which has mostly come.
 */
export async function releaseDeliveries(records: Records | Tx, automationId: string): Promise<void> {
  await switchAll(records, automationId, switches.release)
}

const withSome = (records: Records, { from, isActive }: Switch) =>
  records
    .selectFrom('automations')
    .select('id')
    .where('is_active', '=', isActive)
    .where((of) => of.exists(waitingIn(records, from).where('automation_id', '=', of.ref('automations.id'))))
    .execute()

/**
 * Deliveries that are held although their automation is on, or the reverse: left over by a transaction or a
 * process.
 */
export async function putRight(records: Records): Promise<void> {
  for (const { id } of await withSome(records, switches.release)) await releaseDeliveries(records, id)
  for (const { id } of await withSome(records, switches.hold)) await holdDeliveries(records, id)
}
