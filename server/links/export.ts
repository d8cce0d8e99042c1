// All links of a property as CSV, read in batches: never all of them in memory, and no transaction that holds
// up others.
import { type Config, linkUrl } from '../config.ts'
import type { Records } from '../stores/records.ts'
import { groupNames } from './group-words.ts'
import { csvHeader, type CsvLink, csvRows } from './csv.ts'
import type { Utm } from './link-model.ts'

/** Some hundred kilobytes; one statement takes some milliseconds. */
const ROWS_AT_ONCE = 1_000

const columns = [
  'seq',
  'id',
  'group_id',
  'name',
  'domain',
  'code',
  'destination_url',
  'utm',
  'is_active',
  'created_ts',
] as const

interface Deps {
  readonly records: Records
  readonly config: Config
}

/** What to export. */
export interface Wanted {
  readonly propertyId: string
  /** Null: of every group. */
  readonly groupId: string | null
}

async function nextBatch({ records }: Deps, { propertyId, groupId }: Wanted, afterSeq: number) {
  const after = records
    .selectFrom('links')
    .select(columns)
    .where('property_id', '=', propertyId)
    .where('is_deleted', '=', 0)
    .where('seq', '>', afterSeq)
  const wanted = groupId === null ? after : after.where('group_id', '=', groupId)
  return wanted.orderBy('seq').limit(ROWS_AT_ONCE).execute()
}

type Row = Awaited<ReturnType<typeof nextBatch>>[number]

const toLink = ({ config }: Deps, { seq: _seq, ...row }: Row): CsvLink => ({
  ...row,
  utm: JSON.parse(row.utm) as Utm,
  is_active: row.is_active === 1,
  short_url: `${linkUrl(config, row.domain)}/${row.code}`,
})

/** Batches of links in use, the oldest first: in the order in which they can be created again. */
export async function* linkBatches(deps: Deps, wanted: Wanted): AsyncGenerator<CsvLink[]> {
  for (let afterSeq = 0; ;) {
    const rows = await nextBatch(deps, wanted, afterSeq)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => toLink(deps, row))
    afterSeq = last.seq
  }
}

export interface CsvPart {
  readonly text: string
  readonly links: number
}

/** The header, then every link. */
export async function* exportLinks(deps: Deps, wanted: Wanted): AsyncGenerator<CsvPart> {
  yield { text: csvHeader(), links: 0 }
  const names = await groupNames(deps.records, wanted.propertyId)
  for await (const links of linkBatches(deps, wanted)) yield { text: csvRows(links, names), links: links.length }
}
