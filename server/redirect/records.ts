// The statements with which the directory of links loads everything in slices, and later only changes. It
// serves all properties, so these statements name none.
import { sql } from 'kysely'
import { scanning } from '../stores/records/scans.ts'
import { type Records, recordsKind } from '../stores/records.ts'
import { LINK_END } from './packed-links.ts'
import { openLinkMemory, PACKED_SEPARATOR, type PackedLink, type Target, type TargetGroup } from './memory.ts'
import { LINK_CHANGES, packedLink, packedText } from '../links/records.ts'

/** Changed rows per statement: small enough to serve requests between two slices. */
const SLICE = 500

interface StoredLink extends PackedLink {
  readonly seq: number
  readonly change_no: number
}

export interface StoredGroup extends Omit<TargetGroup, 'state'> {
  readonly state: TargetGroup['state'] | 'deleted'
}

/** Zero when nothing was ever changed. */
export async function readChangeNo(records: Records): Promise<number> {
  const row = await records.selectFrom('counters').select('value').where('name', '=', LINK_CHANGES).executeTakeFirst()
  return row?.value ?? 0
}

const groupColumns = ['id', 'property_id', 'state', 'track_clicks'] as const

interface GroupRow {
  readonly id: string
  readonly property_id: string
  readonly state: StoredGroup['state']
  readonly track_clicks: number
}

const toGroup = ({ id, property_id, state, track_clicks }: GroupRow): StoredGroup => ({
  id,
  propertyId: property_id,
  state,
  tracksClicks: track_clicks === 1,
})

/** Groups in use. */
export async function listTargetGroups(records: Records): Promise<TargetGroup[]> {
  const rows = await records.selectFrom('link_groups').select(groupColumns).where('state', '!=', 'deleted').execute()
  return rows.map((row) => toGroup(row) as TargetGroup)
}

export async function changedGroups(records: Records, afterNo: number): Promise<StoredGroup[]> {
  const rows = await records.selectFrom('link_groups').select(groupColumns).where('change_no', '>', afterNo).execute()
  return rows.map(toGroup)
}

const selectLinks = (records: Records) =>
  records.selectFrom('links').select(['seq', 'change_no', 'domain', 'code', 'is_deleted', packedLink])

/** Links of one statement of the first load: a few milliseconds of the event loop to put them. */
const LOADED_AT_ONCE = 2_000
/** Links in use, in the order of creation, as the bytes of one text. */
export interface LinkLines {
  /** Of the last one. */
  readonly seq: number
  readonly bytes: Buffer
}

/** Undefined after the last one. */
export async function linesAfter(records: Records, seq: number): Promise<LinkLines | undefined> {
  const next = sql`select seq, domain || ${sql.lit(PACKED_SEPARATOR)} || code || ${sql.lit(PACKED_SEPARATOR)} || ${packedText}
    as line from links where seq > ${seq} and is_deleted = 0 order by seq limit ${LOADED_AT_ONCE}`
  const lines =
    recordsKind(records) === 'sqlite'
      ? sql`cast(group_concat(line, char(${sql.lit(LINK_END)})) as blob)`
      : sql`convert_to(string_agg(line, chr(${sql.lit(LINK_END)})), 'UTF8')`
  const { rows } = await sql<{ readonly seq: number | null; readonly bytes: Uint8Array | null }>`
    select max(seq) as seq, ${lines} as bytes from (${next}) as next_links`.execute(scanning(records))
  const [{ seq: last, bytes } = { seq: null, bytes: null }] = rows
  if (last === null || bytes === null) return undefined
  return { seq: last, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

/** In slices, in the order of the changes. */
export async function* changedLinks(records: Records, afterNo: number): AsyncGenerator<StoredLink[]> {
  let last: Pick<StoredLink, 'seq' | 'change_no'> = { change_no: afterNo, seq: Number.MAX_SAFE_INTEGER }
  for (;;) {
    const { change_no, seq } = last
    const slice = await selectLinks(records)
      .where('change_no', '>=', change_no) // said alone, so that the index begins there
      .where((of) => of.or([of('change_no', '>', change_no), of('seq', '>', seq)]))
      .orderBy('change_no')
      .orderBy('seq')
      .limit(SLICE)
      .execute()
    if (slice.length > 0) yield slice
    if (slice.length < SLICE) return
    last = slice.at(-1)!
  }
}

/** By `place/code`; without links that are not in use. Needed while the directory is still loading. */
export async function findPacked(records: Records, keys: readonly string[]): Promise<Map<string, Target>> {
  const codes = keys.map((key) => key.slice(key.indexOf('/') + 1))
  const links = await selectLinks(records).where('code', 'in', codes).where('is_deleted', '=', 0).execute()
  const memory = openLinkMemory()
  for (const group of await listGroupsOf(records, codes)) memory.putGroup(group)
  for (const link of links) memory.putLink(link)
  const found = keys.map((key): [string, Target | undefined] => {
    const end = key.indexOf('/') // neither a short domain nor a host has one
    return [key, memory.find(key.slice(0, end), key.slice(end + 1))]
  })
  return new Map(found.filter((entry): entry is [string, Target] => entry[1] !== undefined))
}

async function listGroupsOf(records: Records, codes: readonly string[]): Promise<TargetGroup[]> {
  const rows = await records
    .selectFrom('link_groups')
    .select(groupColumns)
    .where('state', '!=', 'deleted')
    .where('id', 'in', (of) => of.selectFrom('links').select('group_id').where('code', 'in', codes))
    .execute()
  return rows.map((row) => toGroup(row) as TargetGroup)
}

// ---------------------------------------------------------------- limits

async function takeAll(records: Records, linkId: string, most: number, wanted: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('links')
    .set({ uses: sql<number>`uses + ${wanted}` })
    .where('id', '=', linkId)
    .where('uses', '<=', most - wanted)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Takes as many uses as are left. Each statement takes all or none, so that of two nodes that want the last
 * use, one gets it.
 * @returns how many were taken: fewer than wanted when all are taken now.
 */
export async function takeUses(records: Records, linkId: string, most: number, wanted: number): Promise<number> {
  if (wanted === 0 || (await takeAll(records, linkId, most, wanted))) return wanted
  if (wanted === 1) return 0
  const half = Math.floor(wanted / 2)
  const taken = await takeUses(records, linkId, most, half)
  return taken < half ? taken : taken + (await takeUses(records, linkId, most, wanted - half))
}

export async function hasUse(records: Records, linkId: string, most: number): Promise<boolean> {
  const links = records.selectFrom('links').select('id').where('id', '=', linkId)
  return (await links.where('uses', '<', most).executeTakeFirst()) !== undefined
}
