// The statements of merges: what moves from one contact to the other, and back.
import { type RawBuilder, sql } from 'kysely'
import type { Alias } from '../contacts/alias-records.ts'
import type { LabelRow } from '../contacts/label-records.ts'
import { contactsOf, type ContactRow } from '../contacts/records.ts'
import { searchText } from '../contacts/search.ts'
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { MergeSnapshot } from './model.ts'

type MergeRow = Readonly<RecordTables['contact_merges']>

export interface Merge extends Omit<MergeRow, 'snapshot'> {
  readonly snapshot: MergeSnapshot
}

/** Whose they are, of tables in which each row has a contact. */
interface Owner {
  readonly from: string
  readonly to: string
}

export async function readSeq(tx: Tx, propertyId: string, id: string): Promise<number> {
  return (await contactsOf(tx, propertyId).select('seq').where('id', '=', id).executeTakeFirstOrThrow()).seq
}

const labelsOf = (records: Records | Tx, contactId: string) =>
  records.selectFrom('contact_labels').selectAll().where('contact_id', '=', contactId)

export const listLabelRows = (tx: Tx, contactId: string): Promise<LabelRow[]> => labelsOf(tx, contactId).execute()

/** Those that have not been taken off and put on again since. */
export async function removeLabels(tx: Tx, contactId: string, labels: readonly LabelRow[]): Promise<void> {
  for (const { kind, label_key, added_ms } of labels)
    await tx
      .deleteFrom('contact_labels')
      .where('contact_id', '=', contactId)
      .where('kind', '=', kind)
      .where('label_key', '=', label_key)
      .where('added_ms', '=', added_ms)
      .execute()
}

// ---------------------------------------------------------------- what moves

/** Remembers what moves, then moves it. The facts learn of sessions by `is_noted`. */
export async function moveAll(tx: Tx, mergeId: string, { from, to }: Owner): Promise<void> {
  const remember = (kind: string, rows: RawBuilder<unknown>) =>
    sql`insert into contact_merge_moves (merge_id, kind, day, key) select ${mergeId}, ${kind}, ${rows}
      where contact_id = ${from}`.execute(tx)
  await remember('session', sql`day, session from contact_sessions`)
  await remember('note', sql`0, id from contact_notes`)
  await remember('consent', sql`0, submission_id from contact_consents`)
  await remember('membership', sql`0, id from list_memberships`)
  await tx
    .updateTable('contact_sessions')
    .set((of) => ({ contact_id: to, moves: of('moves', '+', 1), is_noted: 0 }))
    .where('contact_id', '=', from)
    .execute()
  await tx.updateTable('contact_notes').set({ contact_id: to }).where('contact_id', '=', from).execute()
  await tx.updateTable('list_memberships').set({ contact_id: to }).where('contact_id', '=', from).execute()
  const held = tx.selectFrom('contact_consents').select('submission_id').where('contact_id', '=', to)
  await tx
    .updateTable('contact_consents')
    .set({ contact_id: to })
    .where('contact_id', '=', from)
    .where('submission_id', 'not in', held)
    .execute()
}

/** What came since stays. */
export async function moveBack(tx: Tx, mergeId: string, { from, to }: Owner): Promise<void> {
  const moved = (kind: 'session' | 'note' | 'consent' | 'membership') =>
    tx.selectFrom('contact_merge_moves').where('merge_id', '=', mergeId).where('kind', '=', kind)
  await tx
    .updateTable('contact_sessions')
    .set((of) => ({ contact_id: to, moves: of('moves', '+', 1), is_noted: 0 }))
    .where('contact_id', '=', from)
    .where((of) =>
      of(of.refTuple('day', 'session'), 'in', moved('session').select(['day', 'key']).$asTuple('day', 'key')),
    )
    .execute()
  await tx
    .updateTable('contact_notes')
    .set({ contact_id: to })
    .where('contact_id', '=', from)
    .where('id', 'in', moved('note').select('key'))
    .execute()
  await tx
    .updateTable('list_memberships')
    .set({ contact_id: to })
    .where('contact_id', '=', from)
    .where('id', 'in', moved('membership').select('key'))
    .execute()
  await tx
    .updateTable('contact_consents')
    .set({ contact_id: to })
    .where('contact_id', '=', from)
    .where('submission_id', 'in', moved('consent').select('key'))
    .execute()
}

/** Sessions that an owner marked as invalid do not count. */
export async function recountSessions(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('contacts')
    .set((of) => ({
      session_count: of
        .selectFrom('contact_sessions')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('contact_id', '=', 'contacts.id')
        .where((link) => link(link('mark', '%', 2), '=', 0)),
    }))
    .where('id', '=', id)
    .execute()
}

// ---------------------------------------------------------------- the contact that goes

/** With all that still hangs on it. */
export async function removeContactRow(tx: Tx, { property_id, id }: ContactRow): Promise<void> {
  await tx.deleteFrom('contacts').where('property_id', '=', property_id).where('id', '=', id).execute()
}

/** Where it was in the list. @param isClaimed whether its claim of its email is free. */
export async function restoreContactRow(tx: Tx, row: MergeSnapshot['other']): Promise<void> {
  const claim = row.claimed_email
  const isTaken =
    claim !== null &&
    (await contactsOf(tx, row.property_id).select('id').where('claimed_email', '=', claim).executeTakeFirst())
  const restored = { ...row, claimed_email: isTaken ? null : claim }
  await tx
    .insertInto('contacts')
    .values({ ...restored, meta: JSON.stringify(row.meta), search: searchText(row) })
    .execute()
}

// ---------------------------------------------------------------- aliases

/** What led to one leads to the other. */
export async function passAliases(tx: Tx, { from, to }: Owner): Promise<void> {
  await tx.updateTable('contact_aliases').set({ contact_id: to }).where('contact_id', '=', from).execute()
}

export async function insertAliases(tx: Tx, aliases: readonly Alias[]): Promise<void> {
  await tx
    .insertInto('contact_aliases')
    .values([...aliases])
    .execute()
}

/** Of the merge itself they go; those of merges into the other one lead to that one again. */
export async function returnAliases(tx: Tx, { id, other_id, property_id }: Merge): Promise<void> {
  await tx.deleteFrom('contact_aliases').where('merge_id', '=', id).execute()
  for (const earlier of await listMergesBelow(tx, property_id, other_id))
    await tx.updateTable('contact_aliases').set({ contact_id: other_id }).where('merge_id', '=', earlier).execute()
}

/** Ids of merges into a contact, and into those that were merged into it. */
async function listMergesBelow(tx: Tx, propertyId: string, contactId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive below (id, other_id) as (
      select id, other_id from contact_merges where property_id = ${propertyId} and kept_id = ${contactId}
      union all
      select contact_merges.id, contact_merges.other_id from contact_merges
        join below on contact_merges.kept_id = below.other_id and contact_merges.property_id = ${propertyId}
    ) select id from below`.execute(tx)
  return rows.map(({ id }) => id)
}

// ---------------------------------------------------------------- merges

const toMerge = ({ snapshot, ...row }: MergeRow): Merge[] =>
  snapshot === null ? [] : [{ ...row, snapshot: JSON.parse(snapshot) as MergeSnapshot }]

export async function insertMerge(tx: Tx, { snapshot, ...merge }: Merge): Promise<void> {
  await tx
    .insertInto('contact_merges')
    .values({ ...merge, snapshot: JSON.stringify(snapshot) })
    .execute()
}

/** Of those into a contact which can still be undone, the last one first. */
export async function listMerges(
  records: Records | Tx,
  propertyId: string,
  { keptId, sinceMs }: { readonly keptId: string; readonly sinceMs: number },
): Promise<Merge[]> {
  const rows = await records
    .selectFrom('contact_merges')
    .selectAll()
    .where('property_id', '=', propertyId)
    .where('kept_id', '=', keptId)
    .where('merged_ms', '>', sinceMs)
    .orderBy('merged_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap(toMerge)
}

/** Merges into one contact have an order, whatever the clocks of the nodes say; 0 without one. */
export async function lastMergeMs(tx: Tx, propertyId: string, keptId: string): Promise<number> {
  const { last } = await tx
    .selectFrom('contact_merges')
    .select((of) => of.fn.max('merged_ms').as('last'))
    .where('property_id', '=', propertyId)
    .where('kept_id', '=', keptId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** False when it was undone meanwhile. */
export async function removeMerge(tx: Tx, { id }: Merge): Promise<boolean> {
  return (await changedBy(tx.deleteFrom('contact_merges').where('id', '=', id))) > 0
}

/** What is needed to undo those of before then. @returns of how many. */
export async function forgetSnapshots(records: Records, untilMs: number, most: number): Promise<number> {
  return records.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('contact_merges')
      .select('id')
      .where('merged_ms', '<=', untilMs)
      .where('snapshot', 'is not', null)
      .limit(most)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await tx.deleteFrom('contact_merge_moves').where('merge_id', 'in', ids).execute()
    await tx.updateTable('contact_merges').set({ snapshot: null }).where('id', 'in', ids).execute()
    return ids.length
  })
}

/** In the transaction that erases the person: what was merged into it, and into that. */
export async function eraseMerges(tx: Tx, propertyId: string, contactId: string): Promise<void> {
  const ids = await listMergesBelow(tx, propertyId, contactId)
  if (ids.length === 0) return
  await tx.deleteFrom('contact_merges').where('id', 'in', ids).execute()
}
