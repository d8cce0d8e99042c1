// The statements about groups and links. Rows are parsed here: past this file the UTM values are an object.
// Every statement names its property.
import { sql } from 'kysely'
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import { fromNearerEnd } from '../stores/lists.ts'
import { scanning } from '../stores/records/scans.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { GroupState, Link, LinkGroup, Purpose, Utm } from './link-model.ts'
import { PACKED_SEPARATOR } from '../redirect/memory.ts'
import { codeKey, deleteLinks, keyOf, retiredAmong, shadowedAmong } from './code-records.ts'
import { countLinks, type LinkScope, linksOf } from './list-records.ts'
import { linkColumns, storedLink, toLink, whereOf } from './link-row.ts'

/** The counter of all changes of groups and links, of every property. */
export const LINK_CHANGES = 'links'

/** What memory.ts holds of a link, made by the database so that it is one text from the start. */
export const packedText = sql<string>`is_active || ${sql.lit(PACKED_SEPARATOR)} || id || ${sql.lit(PACKED_SEPARATOR)}
  || group_id || ${sql.lit(PACKED_SEPARATOR)} || destination_url || ${sql.lit(PACKED_SEPARATOR)} || utm
  || case when rules is null and password_hash is null then ''
    else ${sql.lit(PACKED_SEPARATOR)} || coalesce(rules, '') || coalesce(${sql.lit(PACKED_SEPARATOR)} || password_hash, '') end`
export const packedLink = packedText.as('packed')

/**
 * The number of this change. Whoever draws one holds the counter until the transaction ends, so changes
 * commit in the order of their numbers: draw first, and nothing that is read afterwards can be changed by
 * another.
 */
export async function drawChange(tx: Tx): Promise<number> {
  const { value } = await tx
    .insertInto('counters')
    .values({ name: LINK_CHANGES, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + 1` }))
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

// ---------------------------------------------------------------- groups

const groupsOf = (records: Records, propertyId: string) =>
  records.selectFrom('link_groups').where('property_id', '=', propertyId).where('state', '!=', 'deleted')

const groupColumns = [
  'id',
  'name',
  'description',
  'purpose',
  'state',
  'track_clicks',
  'utm_template',
  'created_ts',
] as const

type GroupRow = Pick<RecordTables['link_groups'], (typeof groupColumns)[number]>

const toGroup = ({ purpose, state, track_clicks, utm_template, ...row }: GroupRow, countLinks: number): LinkGroup => ({
  ...row,
  purpose: purpose as Purpose,
  state: state as GroupState,
  track_clicks: track_clicks === 1,
  utm_template: JSON.parse(utm_template ?? '{}') as Utm,
  count_links: countLinks,
})

async function counted(records: Records, propertyId: string, row: GroupRow): Promise<LinkGroup> {
  return toGroup(row, await countLinks(records, { propertyId, groupId: row.id }))
}

export async function findGroup(records: Records, propertyId: string, id: string): Promise<LinkGroup | undefined> {
  const row = await groupsOf(records, propertyId).select(groupColumns).where('id', '=', id).executeTakeFirst()
  return row && counted(records, propertyId, row)
}

/** Newest first. */
export async function listGroupRows(
  records: Records,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<LinkGroup>> {
  const rows = await groupsOf(records, propertyId)
    .select(groupColumns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  const { count } = await groupsOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const groups: LinkGroup[] = []
  for (const row of rows) groups.push(await counted(records, propertyId, row))
  return { rows: groups, total: count }
}

/** What new links of a group are told by it; undefined when there is no such group. */
export async function findTemplate(
  tx: Tx,
  propertyId: string,
  id: string,
): Promise<{ readonly name: string; readonly template: Utm } | undefined> {
  const row = await groupsOf(tx, propertyId).select(['name', 'utm_template']).where('id', '=', id).executeTakeFirst()
  return row && { name: row.name, template: JSON.parse(row.utm_template ?? '{}') as Utm }
}

/** null in the table for a template without a value. */
const storedTemplate = (template: Utm): string | null =>
  Object.keys(template).length === 0 ? null : JSON.stringify(template)

/** @throws a foreign key violation when the property is gone. */
export async function insertGroup(tx: Tx, propertyId: string, group: LinkGroup, changeNo: number): Promise<void> {
  const { count_links: _count, track_clicks, utm_template, ...row } = group
  await tx
    .insertInto('link_groups')
    .values({
      ...row,
      property_id: propertyId,
      track_clicks: Number(track_clicks),
      utm_template: storedTemplate(utm_template),
      change_no: changeNo,
    })
    .execute()
}

export type GroupFields = Partial<
  Pick<LinkGroup, 'name' | 'description' | 'purpose' | 'track_clicks' | 'utm_template' | 'state'>
>

/** With the number of the change. */
export interface GroupRowChange extends GroupFields {
  readonly change_no: number
}

/** As it is now, but for `count_links`, which is given. Undefined when there is no such group. */
export async function updateGroupRow(
  tx: Tx,
  propertyId: string,
  { id, count_links }: Pick<LinkGroup, 'id' | 'count_links'>,
  { track_clicks, utm_template, ...rest }: GroupRowChange,
): Promise<LinkGroup | undefined> {
  const row = await tx
    .updateTable('link_groups')
    .set({
      ...rest,
      ...(track_clicks !== undefined && { track_clicks: Number(track_clicks) }),
      ...(utm_template !== undefined && { utm_template: storedTemplate(utm_template) }),
    })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .returning(groupColumns)
    .executeTakeFirst()
  return row && toGroup(row, count_links)
}

/**
 * The row stays, emptied, so that every node learns of it; its links go. False when there is no such group.
 */
export async function deleteGroupRow(tx: Tx, propertyId: string, id: string, changeNo: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('link_groups')
    .set({ state: 'deleted', name: '', description: null, change_no: changeNo })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await deleteLinks(tx, 'group_id', id)
  return true
}

// ---------------------------------------------------------------- links

export async function findLink(records: Records, propertyId: string, id: string): Promise<Link | undefined> {
  const own = linksOf(records, { propertyId, groupId: null })
  const row = await own.select(linkColumns).where('id', '=', id).executeTakeFirst()
  return row && toLink(row)
}

/** Undefined when there is no such link. */
export async function findLinkRules(records: Records, propertyId: string, id: string) {
  const own = linksOf(records, { propertyId, groupId: null })
  return own.select(['rules', 'uses', 'password_hash']).where('id', '=', id).executeTakeFirst()
}

/** What is left out stays as it is. */
export interface RulesRow {
  readonly rules: string | null
  readonly uses?: 0
  readonly password_hash?: string | null
}

export async function updateLinkRules(
  tx: Tx,
  propertyId: string,
  { id, changeNo, row }: { readonly id: string; readonly changeNo: number; readonly row: RulesRow },
): Promise<void> {
  await tx
    .updateTable('links')
    .set({ ...row, change_no: changeNo })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .execute()
}

/** Those in use, by id. */
export async function findLinks(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<Link, 'name' | 'domain' | 'host' | 'code'>>> {
  if (ids.length === 0) return new Map()
  const own = linksOf(records, { propertyId, groupId: null })
  const rows = await own.select(['id', 'name', 'domain', 'slot', 'code']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name, code, ...row }) => [id, { name, code, ...whereOf(row) }]))
}

/** Newest first. */
export async function listLinkRows(records: Records, scope: LinkScope, query: PageQuery): Promise<Listed<Link>> {
  const total = await countLinks(records, scope)
  const page = { offset: offsetOf(query), limit: query.perPage }
  const rows = await fromNearerEnd(total, page, ({ offset, limit }, isTurned) =>
    linksOf(scanning(records), scope)
      .select(linkColumns)
      .orderBy('seq', isTurned ? 'asc' : 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
  )
  return { rows: rows.map(toLink), total }
}

/** Links that are stored as one change. */
export interface LinkSlice {
  readonly links: readonly (Link & { readonly rules: string | null; readonly uses: number })[]
  readonly changeNo: number
}

/** Those that were stored, by id: the codes of the others are taken. The unique index is the judge. */
export async function insertLinks(tx: Tx, propertyId: string, { links, changeNo }: LinkSlice): Promise<Set<string>> {
  const taken = await retiredAmong(tx, links.map(keyOf))
  for (const key of await shadowedAmong(tx, propertyId, links)) taken.add(key)
  const rows = links
    .filter((link) => !taken.has(codeKey(keyOf(link))))
    .map((link) => ({ ...storedLink(link), property_id: propertyId, change_no: changeNo }))
  if (rows.length === 0) return new Set()
  const stored = await tx
    .insertInto('links')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['code', 'domain']).doNothing())
    .returning('id')
    .execute()
  return new Set(stored.map(({ id }) => id))
}

/** @param link as it is to be, its id as it is. */
export async function updateLinkRow(tx: Tx, propertyId: string, link: Link, changeNo: number): Promise<void> {
  const { id, created_ts: _created, ...fields } = storedLink(link)
  await tx
    .updateTable('links')
    .set({ ...fields, change_no: changeNo })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .execute()
}

/**
 * Out of use; the code stays taken, so that it never leads anybody to something else. False when there is no
 * such link.
 */
export async function deleteLinkRow(tx: Tx, propertyId: string, id: string, changeNo: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('links')
    .set({ is_deleted: 1, change_no: changeNo })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
