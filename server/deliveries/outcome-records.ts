// What became of deliveries, written by whoever holds their claim: the state, the attempt, and what it means for the automation, in one
// transaction. Ten failed deliveries in a row, with none between them that arrived, switch an automation off.
import { sql } from 'kysely'
import type { Tx } from '../stores/records.ts'
import type { Attempted } from './attempt.ts'
import type { DeliveryRow } from './claims-records.ts'

/** An endpoint that has refused ten deliveries for a quarter of an hour each will not take the eleventh. */
export const FAILURES_TO_DISABLE = 10
/** Rows of one insert; each carries kilobytes. */
const ATTEMPTS_AT_ONCE = 100

export type Ending =
  | { readonly kind: 'delivered' | 'failed' | 'skipped' | 'held' | 'gone' }
  /** Another attempt later; `unsent`: there was none yet. */
  | { readonly kind: 'retry' | 'unsent'; readonly atMs: number }

export interface Outcome {
  readonly row: DeliveryRow
  readonly ending: Ending
  readonly attempted?: Attempted
  /** Of this node, when it was over. */
  readonly nowMs: number
}

/** A manual retry of one that was finished; its automation is no worse for it. */
export const isManual = ({ finished_ms }: Pick<DeliveryRow, 'finished_ms'>): boolean => finished_ms !== null

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

/** By hand, one that has arrived before may be sent again: that this one failed is in its log, and it stays delivered. */
const unlessArrived = sql<'delivered' | 'failed'>`
case when exists (select 1 from delivery_attempts where delivery_id = deliveries.id and error is null)
then ${sql.lit('delivered')} else ${sql.lit('failed')} end`

/** False when the claim was lost meanwhile: whoever has it now writes what becomes of it. */
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

/** Test sends say nothing of an automation; of one sent by hand, that it arrived. */
function count(tx: Tx, outcome: Outcome): Promise<Disabled[]> | Disabled[] {
  const { row, ending, attempted } = outcome
  if (row.is_test === 1 || !attempted) return []
  if (ending.kind === 'delivered') return countArrival(tx, outcome)
  return ending.kind === 'failed' && !isManual(row) ? countFailure(tx, outcome) : []
}

/** One after the other in the order of the automations: two nodes never wait for each other, and each one's outcomes stay in order. */
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
