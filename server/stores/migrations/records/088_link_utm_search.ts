// UTM values of links are searched. Where they are plain text, they are found in what is stored; those with
// other letters, which no database spells as searches are, join the column that is searched
// (018_link_search).
import { sql } from 'kysely'
import { searchedText } from '../../../kernel/words.ts'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

/** Rows of one statement: well below the values that one may bind. */
const BATCH = 500

interface Row {
  readonly seq: number
  readonly name: string | null
  readonly code: string
  readonly destination_url: string
  readonly utm: string
  readonly search: string | null
}

/** JSON writes quotes, backslashes and control characters with a backslash. */
const isOther = sql`(octet_length(utm) <> length(utm) or replace(utm, ${sql.lit('\\')}, '') <> utm)`

async function nextBatch(tx: Tx, afterSeq: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select seq, name, code, destination_url, utm, search from links
    where seq > ${afterSeq} and is_deleted = 0 and ${isOther} order by seq limit ${BATCH}`.execute(tx)
  return rows
}

function searchOf({ name, code, destination_url, utm, search }: Row): string {
  const before = search ?? searchedText([name ?? '', code, destination_url])
  return `${before}\n${searchedText(Object.values(JSON.parse(utm) as Record<string, string>))}`
}

async function fill(tx: Tx, rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(cast(${row.seq} as bigint), ${searchOf(row)})`)
  // What a list of values has are columns of these names in both databases.
  await sql`update links set search = filled.column2 from (values ${sql.join(values)}) as filled
    where links.seq = filled.column1`.execute(tx)
}

export const linkUtmSearch: RecordMigration = {
  name: '088_link_utm_search',
  up: async (tx) => {
    for (let rows = await nextBatch(tx, 0); rows.length > 0; rows = await nextBatch(tx, rows.at(-1)!.seq)) {
      await fill(tx, rows)
    }
  },
}
