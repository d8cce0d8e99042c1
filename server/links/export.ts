// All links of a property as CSV, read in batches: never all of them in memory, and no transaction that holds
// up others.
import type { Config } from '../config.ts'
import type { Records } from '../stores/records.ts'
import { groupNames } from './group-words.ts'
import { csvHeader, type CsvLink, csvRows } from './csv.ts'
import { placeUrl } from './domain-model.ts'
import { toLink } from './link-row.ts'
import { parseRules } from './rules-model.ts'
import { type ExportedLink, type LinkScope, nextLinks } from './list-records.ts'

/** What to export: no words choose among them. */
export type Wanted = Omit<LinkScope, 'words'>

interface Deps {
  readonly records: Records
  readonly config: Config
}

function shownRow({ config }: Deps, { seq: _seq, rules, password_hash, uses, ...row }: ExportedLink): CsvLink {
  const link = toLink(row)
  return {
    ...link,
    short_url: `${placeUrl(config, link)}/${link.code}`,
    rules: { ...parseRules(rules), has_password: password_hash !== null, used_clicks: uses },
  }
}

/** Batches of links in use, the oldest first: in the order in which they can be created again. */
export async function* linkBatches(deps: Deps, wanted: Wanted): AsyncGenerator<CsvLink[]> {
  for (let afterSeq = 0; ;) {
    const rows = await nextLinks(deps.records, wanted, afterSeq)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => shownRow(deps, row))
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
