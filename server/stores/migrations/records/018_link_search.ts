// Links are found whatever their capitals. A database knows the case of ASCII alone, so a column holds what
// is searched of links with other letters, spelled as searches are (kernel/words.ts). It is null for all
// others, which cost nothing.
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
}

const texts = sql`coalesce(name, '') || destination_url`

async function nextBatch(tx: Tx, afterSeq: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select seq, name, code, destination_url from links
    where seq > ${afterSeq} and is_deleted = 0 and octet_length(${texts}) <> length(${texts}) order by seq limit ${BATCH}`.execute(
    tx,
  )
  return rows
}

async function fill(tx: Tx, rows: readonly Row[]): Promise<void> {
  const values = rows.map(
    ({ seq, name, code, destination_url }) =>
      sql`(cast(${seq} as bigint), ${searchedText([name ?? '', code, destination_url])})`,
  )
  // What a list of values has are columns of these names in both databases.
  await sql`update links set search = filled.column2 from (values ${sql.join(values)}) as filled
    where links.seq = filled.column1`.execute(tx)
}

export const linkSearch: RecordMigration = {
  name: '018_link_search',
  up: async (tx) => {
    await tx.schema.alterTable('links').addColumn('search', 'text').execute()
    for (let rows = await nextBatch(tx, 0); rows.length > 0; rows = await nextBatch(tx, rows.at(-1)!.seq)) {
      await fill(tx, rows)
    }
  },
}
