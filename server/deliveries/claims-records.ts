// Taking deliveries that are due. A claim is a row whose next attempt was moved to the end of a lease and that carries the name of its
// holder: of two nodes one gets it, and a node that dies gives it back by doing nothing.
import { type Selectable, sql } from 'kysely'
import { type Records, type Tx, recordsKind } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { SealedSecrets } from '../automations/records.ts'

export type DeliveryRow = Selectable<RecordTables['deliveries']>

/** kernel/triggers.ts: form 0, identify, acquisition and event 1, page view 2, contact 3. */
const PRIORITIES = [0, 1, 2, 3] as const
/** Endpoints looked at by one statement: each costs five looks into the index. */
export const LANES_AT_ONCE = 200
/** Lanes whose rows are read by one statement; SQLite puts up to 500 selects together. */
const LANES_A_SELECT = 16

const pending = sql.lit('pending')

export interface DueLane {
  readonly lane: string
  /** Of the first that waits in it; nearly always of all. */
  readonly propertyId: string
  /** The best that is due in it. */
  readonly priority: number
  readonly dueMs: number
}

export interface LanePage {
  readonly due: DueLane[]
  /** Where the next look begins; '' when this one came to the end. */
  readonly next: string
}

type LaneRow = { lane: string; property_id: string } & Record<`p${(typeof PRIORITIES)[number]}`, number | null>

/** From lane to lane through the index, whatever number of deliveries wait in each. It begins with SELECT: so SQLite's reader takes it. */
const lanesAfter = (after: string) => sql<LaneRow>`
select lane, (
  select property_id from deliveries where state = ${pending} and deliveries.lane = lanes.lane
  order by priority, next_attempt_ms limit 1
) as property_id, ${sql.join(PRIORITIES.map(firstDue))}
from (
  with recursive found (n, lane) as (
    select 1, min(lane) from deliveries where state = ${pending} and lane > ${after}
    union all
    select n + 1, (select min(lane) from deliveries where state = ${pending} and lane > found.lane)
    from found where found.lane is not null and n < ${sql.lit(LANES_AT_ONCE)}
  )
  select lane from found where lane is not null
) as lanes`

const firstDue = (priority: number) => sql`(
  select min(next_attempt_ms) from deliveries
  where state = ${pending} and deliveries.lane = lanes.lane and priority = ${sql.lit(priority)}
) as ${sql.ref(`p${priority}`)}`

function dueOf(row: LaneRow, nowMs: number): DueLane[] {
  for (const priority of PRIORITIES) {
    const dueMs = row[`p${priority}`]
    if (dueMs !== null && dueMs <= nowMs) return [{ lane: row.lane, propertyId: row.property_id, priority, dueMs }]
  }
  return []
}

/** Some of the lanes after that one in which something is due. */
export async function findDueLanes(records: Records, after: string, nowMs: number): Promise<LanePage> {
  const { rows } = await lanesAfter(after).execute(records)
  const due = rows.flatMap((row) => dueOf(row, nowMs))
  return { due, next: rows.length < LANES_AT_ONCE ? '' : (rows.at(-1)?.lane ?? '') }
}

export interface LaneAsk {
  readonly lane: string
  readonly limit: number
}

export interface DueDelivery {
  readonly seq: number
  readonly lane: string
  readonly priority: number
  readonly property_id: string
  readonly next_attempt_ms: number
}

const oldestOf = ({ lane, limit }: LaneAsk, priority: number, nowMs: number) => sql`
select * from (
  select seq, lane, priority, property_id, next_attempt_ms from deliveries
  where state = ${pending} and lane = ${lane} and priority = ${sql.lit(priority)} and next_attempt_ms <= ${nowMs}
  order by next_attempt_ms limit ${limit}
) as oldest`

/** What is due in these lanes: of each and of each priority at most `limit`; the more urgent and then the older first. */
export async function findDue(records: Records, asks: readonly LaneAsk[], nowMs: number): Promise<DueDelivery[]> {
  const found: DueDelivery[] = []
  for (let at = 0; at < asks.length; at += LANES_A_SELECT) {
    const parts = asks
      .slice(at, at + LANES_A_SELECT)
      .flatMap((ask) => PRIORITIES.map((priority) => oldestOf(ask, priority, nowMs)))
    const { rows } = await sql<DueDelivery>`${sql.join(parts, sql` union all `)}`.execute(records)
    found.push(...rows)
  }
  return found.sort((a, b) => a.priority - b.priority || a.next_attempt_ms - b.next_attempt_ms || a.seq - b.seq)
}

export interface Claim {
  /** Of this one taking alone: what the same node took before is not written under it. */
  readonly name: string
  readonly nowMs: number
  readonly untilMs: number
}

/** Few lengths of list: each one is a statement of its own. */
function padded(seqs: readonly number[]): number[] {
  const length = 2 ** Math.ceil(Math.log2(seqs.length))
  return [...seqs, ...Array.from({ length: length - seqs.length }, () => seqs[0]!)]
}

/** @returns those that are still there to be taken: another node may have been first. */
export async function claimDeliveries(
  records: Records,
  tx: Tx,
  seqs: readonly number[],
  { name, nowMs, untilMs }: Claim,
): Promise<DeliveryRow[]> {
  if (seqs.length === 0) return []
  return tx
    .with('free', (of) =>
      of
        .selectFrom('deliveries')
        .select('seq')
        .where('seq', 'in', padded(seqs))
        .where('state', '=', 'pending')
        .where('next_attempt_ms', '<=', nowMs)
        // SQLite writes one at a time.
        .$if(recordsKind(records) === 'postgres', (rows) => rows.forUpdate().skipLocked()),
    )
    .updateTable('deliveries')
    .set({ claim: name, next_attempt_ms: untilMs })
    .where('seq', 'in', (of) => of.selectFrom('free').select('seq'))
    .returningAll()
    .execute()
}

/** Once and for all, before the first attempt. False when the claim is lost: then nothing may be sent. */
export async function storeBody(
  tx: Tx,
  { seq, claim }: Pick<DeliveryRow, 'seq' | 'claim'>,
  body: string,
  untilMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ body, next_attempt_ms: untilMs })
    .where('seq', '=', seq)
    .where('claim', '=', claim)
    .where('body', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What a delivery needs of its automation. */
export interface Sender extends SealedSecrets {
  readonly is_active: number
}

/** Those that there still are, by id. */
export async function findSenders(records: Records, ids: readonly string[]): Promise<ReadonlyMap<string, Sender>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('automations')
    .select(['id', 'is_active', 'secret', 'previous_secret', 'previous_until_ts'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A delivery that this node still holds: who sends it as things are now, undefined when the automation is gone. */
export interface Still {
  readonly sender: Sender | undefined
}

type Claimed = Pick<DeliveryRow, 'seq' | 'claim'>

/** Of one claim of one row. */
export const claimKey = ({ seq, claim }: Claimed): string => `${seq} ${claim}`

/** Those of the claims that still hold, by claimKey: a row that was erased, deleted or lost to somebody else is not among them. */
export async function findStill(records: Records, claims: readonly Claimed[]): Promise<Map<string, Still>> {
  const rows = await records
    .selectFrom('deliveries as d')
    .leftJoin('automations as a', 'a.id', 'd.automation_id')
    .select(['d.seq', 'd.claim', 'a.id', 'a.is_active', 'a.secret', 'a.previous_secret', 'a.previous_until_ts'])
    .where('d.seq', 'in', padded(claims.map(({ seq }) => seq)))
    .where('d.state', '=', 'pending')
    .where('d.claim', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [claimKey(row), { sender: senderOf(row) }]))
}

/** As an outer join knows it. */
type MaybeSender = { [Column in keyof Sender]: Sender[Column] | null }

function senderOf({ id, is_active, secret, previous_secret, previous_until_ts }: MaybeSender): Sender | undefined {
  if (id === null || is_active === null || secret === null) return undefined
  return { id, is_active, secret, previous_secret, previous_until_ts }
}

/** For /metrics: many are as good as very many. */
const MOST_COUNTED = 100_000

/** Deliveries that wait for an attempt, up to a hundred thousand. */
export async function countWaiting(records: Records): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
select count(*) as waiting from (
  select 1 from deliveries where state = ${pending} limit ${sql.lit(MOST_COUNTED)}
) as some_of_them`.execute(records)
  return rows[0]?.waiting ?? 0
}
