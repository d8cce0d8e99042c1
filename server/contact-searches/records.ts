// The statements about saved searches of contacts. Every one names its property.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { RecordTables } from '../stores/tables.ts'

type Row = Readonly<RecordTables['contact_searches']>

/** As the list of contacts takes it. */
export type SearchQuery = Readonly<Record<string, string>>

export interface SavedSearch extends Omit<Row, 'query'> {
  readonly query: SearchQuery
}

const searchesOf = (records: Records | Tx, propertyId: string) =>
  records.selectFrom('contact_searches').where('property_id', '=', propertyId)

/** Everybody's, and those of the person, by name. */
export async function listSearchRows(
  records: Records,
  propertyId: string,
  userId: string | null,
): Promise<SavedSearch[]> {
  const rows = await searchesOf(records, propertyId)
    .selectAll()
    .where((of) => of.or([of('user_id', 'is', null), ...(userId === null ? [] : [of('user_id', '=', userId)])]))
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, query: JSON.parse(row.query) as SearchQuery }))
}

export async function countSearches(tx: Tx, propertyId: string): Promise<number> {
  const { count } = await searchesOf(tx, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** @throws a foreign key violation when the property or the person is gone. */
export async function insertSearch(tx: Tx, search: SavedSearch): Promise<void> {
  await tx
    .insertInto('contact_searches')
    .values({ ...search, query: JSON.stringify(search.query) })
    .execute()
}

/** False when it is gone. */
export async function deleteSearch(records: Records, propertyId: string, id: string): Promise<boolean> {
  const gone = records.deleteFrom('contact_searches').where('property_id', '=', propertyId).where('id', '=', id)
  return (await changedBy(gone)) > 0
}
