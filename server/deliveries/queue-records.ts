// The queue of deliveries: enqueued in the transaction of the fact that they follow from, or in an insert of
// their own, and claimed when they are due. A claim moves the next attempt of a row to the end of a lease and
// writes the name of its holder: of two nodes one gets it, and a node that dies gives it back by doing
// nothing.
import { type Selectable, sql, type Insertable } from 'kysely'
import { type Records, type Tx, recordsKind, waitForTurn } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { SealedSecrets } from '../automations/records.ts'
import { BULK_PRIORITY, LANE_AHEAD, LANE_SLOTS, type Laned, type Share } from './slots.ts'
import { priorities } from '../kernel/trigger-table.ts'
import type { Trigger } from '../kernel/triggers.ts'

export type DeliveryRow = Selectable<RecordTables['deliveries']>

// ---------------------------------------------------------------- enqueue

export type NewDelivery = Omit<Insertable<RecordTables['deliveries']>, 'seq'>

/** Rows of one statement: both databases take some ten thousand parameters. */
const INSERTED_AT_ONCE = 500

export async function insertDeliveries(records: Tx | Records, rows: readonly NewDelivery[]): Promise<void> {
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
    await records
      .insertInto('deliveries')
      .values(rows.slice(at, at + INSERTED_AT_ONCE))
      .execute()
}

/** Another call that enqueues the same event waits until the transaction ends. */
export const lockEvent = (tx: Tx | Records, { event }: Pick<Trigger, 'event'>): Promise<void> =>
  waitForTurn(tx, `${event.type} ${event.id}`)

/** Automations whose deliveries of it were removed after DELIVERY_DAYS. */
async function selectNotifiedLongAgo(records: Tx | Records, submissionId: string): Promise<string[]> {
  const rows = await records
    .selectFrom('told_submissions')
    .select('automation_id')
    .where('submission_id', '=', submissionId)
    .execute()
  return rows.map((row) => row.automation_id)
}

/**
 * The automations that have, or had, a delivery of this event: of a submission, or of an event that may be
 * repeated. Deliveries that were erased with their person count.
 */
export async function selectNotified(
  records: Tx | Records,
  propertyId: string,
  { event }: Pick<Trigger, 'event'>,
): Promise<Set<string>> {
  const { form_submit_id: submissionId } = event
  const all = records.selectFrom('deliveries').select(['automation_id', 'property_id', 'event_type'])
  const ofIt =
    submissionId === null ? all.where('event_id', '=', event.id) : all.where('submission_id', '=', submissionId)
  const rows = await ofIt.execute()
  // Filtered here: the statement must go through the index of the event, and one event has few deliveries.
  const notified = rows.filter((row) => row.property_id === propertyId && row.event_type === event.type)
  const longAgo = submissionId === null ? [] : await selectNotifiedLongAgo(records, submissionId)
  return new Set([...notified.map((row) => row.automation_id), ...longAgo])
}

// ---------------------------------------------------------------- claim

/** Endpoints looked at by one statement: each costs up to five looks into the index. */
export const LANES_AT_ONCE = 200

const pending = sql.lit('pending')
const prioritySelects = sql.join(
  priorities.map((priority) => sql`select ${sql.lit(priority)} as priority`),
  sql` union all `,
)

interface LanePage {
  readonly due: Laned[]
  /** Where the next look begins; undefined when this one came to the end. */
  readonly next: string | undefined
}

interface LaneRow {
  readonly lane: string
  /** Of the first that waits in it; nearly always of all. */
  readonly property_id: string
  /** The best that is due in it; null: nothing is. */
  readonly priority: number | null
}

const whenDue = (priority: number, nowMs: number) => sql`
  when exists (
    select 1 from deliveries
    where state = ${pending} and deliveries.lane = lanes.lane and priority = ${sql.lit(priority)} and next_attempt_ms <= ${nowMs}
  ) then ${sql.lit(priority)}`

/**
 * From lane to lane through the index, however many deliveries wait in each. The statement begins with
 * SELECT, so that SQLite runs it on the connection for reads.
 */
const lanesAfter = (after: string, nowMs: number) => sql<LaneRow>`
select lane, (
  select property_id from deliveries where state = ${pending} and deliveries.lane = lanes.lane
  order by priority, next_attempt_ms limit 1
) as property_id, case ${sql.join(
  priorities.map((priority) => whenDue(priority, nowMs)),
  sql``,
)} end as priority
from (
  with recursive found (n, lane) as (
    select 1, min(lane) from deliveries where state = ${pending} and lane > ${after}
    union all
    select n + 1, (select min(lane) from deliveries where state = ${pending} and lane > found.lane)
    from found where found.lane is not null and n < ${sql.lit(LANES_AT_ONCE)}
  )
  select lane from found where lane is not null
) as lanes`

/** Some of the lanes after that one in which something is due. */
export async function findDueLanes(records: Records, after: string, nowMs: number): Promise<LanePage> {
  const { rows } = await lanesAfter(after, nowMs).execute(records)
  const due = rows.flatMap(({ lane, property_id: propertyId, priority }) =>
    priority === null ? [] : [{ lane, propertyId, priority }],
  )
  return { due, next: rows.length < LANES_AT_ONCE ? undefined : rows.at(-1)?.lane }
}

export interface DueDelivery {
  readonly seq: number
  readonly lane: string
}

/** As many as a lane may have at most; SQLite takes only a constant limit here. */
const oldestOf = (nowMs: number) => sql`
  select seq, lane, priority, next_attempt_ms from deliveries
  where state = ${pending} and lane = asked.lane and priority = each.priority and next_attempt_ms <= ${nowMs}
  order by next_attempt_ms limit ${sql.lit(LANE_SLOTS + LANE_AHEAD)}`

/**
 * The shares as rows, each with its oldest deliveries of each priority. SQLite knows no lateral join,
 * PostgreSQL uses no index for the other form.
 */
const asked = {
  sqlite: (shares: string, nowMs: number) => sql`
  (select value ->> 'lane' as lane, value ->> 'slots' as slots, value ->> 'bulkSlots' as bulk_slots from json_each(${shares})) as asked
  cross join (${prioritySelects}) as each
  cross join deliveries as due on due.seq in (select seq from (${oldestOf(nowMs)}) as oldest)`,
  postgres: (shares: string, nowMs: number) => sql`
  (select lane, slots, "bulkSlots" as bulk_slots
    from jsonb_to_recordset(cast(${shares} as jsonb)) as share (lane text, slots integer, "bulkSlots" integer)) as asked
  cross join (${prioritySelects}) as each
  cross join lateral (${oldestOf(nowMs)}) as due`,
}

/**
 * What is due in these lanes, as much as each may have: the more urgent first, then the older. Through the
 * index, however many wait.
 */
export async function findDue(records: Records, shares: readonly Share[], nowMs: number): Promise<DueDelivery[]> {
  const open = shares.filter(({ slots }) => slots > 0)
  if (open.length === 0) return []
  const { rows } = await sql<DueDelivery>`
select seq, lane from (
  select due.seq, due.lane,
    case when each.priority < ${sql.lit(BULK_PRIORITY)} then asked.slots else asked.bulk_slots end as slots,
    row_number() over (partition by due.lane order by due.priority, due.next_attempt_ms, due.seq) as place
  from ${asked[recordsKind(records)](JSON.stringify(open), nowMs)}
) as ranked
where place <= slots`.execute(records)
  return rows
}

export interface Claim {
  /** Another one for each statement: an older claim of the same node is not mistaken for it. */
  readonly name: string
  readonly nowMs: number
  readonly untilMs: number
}

/** Lists of few different lengths, because each length is a statement of its own. */
function padded(seqs: readonly number[]): number[] {
  const length = 2 ** Math.ceil(Math.log2(seqs.length))
  return [...seqs, ...Array.from({ length: length - seqs.length }, () => seqs[0]!)]
}

/** @returns those that were still free: another node may have been first. */
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

/** Before the first attempt, and never again. False when the claim is lost: then nothing may be sent. */
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

/** What sending a delivery needs of its automation. */
export interface SendingAutomation extends SealedSecrets {
  readonly is_active: number
}

/** By id; those that are gone are left out. */
export async function findSendingAutomations(
  records: Records,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SendingAutomation>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('automations')
    .select(['id', 'is_active', 'secret', 'previous_secret', 'previous_until_ts'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** What there is of a claim that still holds: its automation as it is now, undefined when it is gone. */
export interface Still {
  readonly automation: SendingAutomation | undefined
}

type ClaimedRow = Pick<DeliveryRow, 'seq' | 'claim'>

/** Names one claim of one row. */
export const claimKey = ({ seq, claim }: ClaimedRow): string => `${seq} ${claim}`

/**
 * Those of the claims that still hold, by claimKey: not rows that were erased, deleted or claimed by another
 * node.
 */
export async function findStill(records: Records, claims: readonly ClaimedRow[]): Promise<Map<string, Still>> {
  const rows = await records
    .selectFrom('deliveries as d')
    .leftJoin('automations as a', 'a.id', 'd.automation_id')
    .select(['d.seq', 'd.claim', 'a.id', 'a.is_active', 'a.secret', 'a.previous_secret', 'a.previous_until_ts'])
    .where('d.seq', 'in', padded(claims.map(({ seq }) => seq)))
    .where('d.state', '=', 'pending')
    .where('d.claim', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [claimKey(row), { automation: automationOf(row) }]))
}

/** As an outer join returns it. */
type MaybeAutomation = { [Column in keyof SendingAutomation]: SendingAutomation[Column] | null }

function automationOf(row: MaybeAutomation): SendingAutomation | undefined {
  const { id, is_active, secret, previous_secret, previous_until_ts } = row
  if (id === null || is_active === null || secret === null) return undefined
  return { id, is_active, secret, previous_secret, previous_until_ts }
}

// ---------------------------------------------------------------- counted

/** For /metrics: above this the number says nothing more. */
const MOST_COUNTED = 100_000

/** Deliveries that wait for an attempt, up to a hundred thousand. */
export async function countWaiting(records: Records): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
select count(*) as waiting from (
  select 1 from deliveries where state = ${pending} limit ${sql.lit(MOST_COUNTED)}
) as some_of_them`.execute(records)
  return rows[0]?.waiting ?? 0
}
