// The statements about properties. Rows are parsed here: past this file domains are lists.
import { type Selectable, sql } from 'kysely'
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import { searchedText, wordsOf } from '../kernel/words.ts'
import { contains } from '../stores/lists.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { Property } from './property-model.ts'

type PropertyRow = Selectable<RecordTables['properties']>

/** The values of `is_sample`; 0 is no sample. */
const SAMPLE_BEGUN = 1
const SAMPLE_WHOLE = 2

const toProperty = ({
  people_erased: _erased,
  sample_run: _run,
  search: _search,
  currency,
  ...row
}: PropertyRow): Property => ({
  ...row,
  currency: currency || null,
  domains: JSON.parse(row.domains) as string[],
  excluded_addresses: JSON.parse(row.excluded_addresses) as string[],
  excluded_paths: JSON.parse(row.excluded_paths) as string[],
  is_token_only: row.is_token_only > 0,
  is_listed_only: row.is_listed_only > 0,
  is_sample: row.is_sample > 0,
})

export async function selectProperties(
  records: Records,
  column: 'key' | 'id',
  texts: readonly string[],
): Promise<Map<string, Property>> {
  const rows = await records.selectFrom('properties').selectAll().where(column, 'in', texts).execute()
  return new Map(rows.map((row) => [row[column], toProperty(row)]))
}

export async function selectPropertyIds(records: Records): Promise<string[]> {
  const rows = await records.selectFrom('properties').select('id').execute()
  return rows.map(({ id }) => id)
}

/** Filters of a list; undefined does not filter. */
export interface PropertyFilter {
  readonly ids?: readonly string[] | undefined
  /** Words that the name contains, regardless of case. */
  readonly search?: string | undefined
}

const onlyAscii = /^\p{ASCII}*$/u

/** The column `search`; null where the database's own lower case is enough. */
const searchText = (name: string): string | null => (onlyAscii.test(name) ? null : searchedText([name]))

const searched = sql<string>`coalesce(search, lower(name))`

/** @param word of wordsOf. */
const holds = (word: string) => contains(searched, word)

const propertiesWith = (records: Records, { ids, search = '' }: PropertyFilter = {}) =>
  records
    .selectFrom('properties')
    .$if(ids !== undefined, (rows) => rows.where('id', 'in', ids?.length ? ids : ['']))
    .$if(search.trim() !== '', (rows) => rows.where((of) => of.and(wordsOf(search).map(holds))))

/** Newest first. */
export async function listPropertyRows(
  records: Records,
  query: PageQuery,
  filter?: PropertyFilter,
): Promise<Property[]> {
  const rows = await propertiesWith(records, filter)
    .selectAll()
    .orderBy('created_ts', 'desc')
    .orderBy('id')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return rows.map(toProperty)
}

export interface SampleRow {
  readonly property: Property
  /** False when it was not written completely. */
  readonly isWhole: boolean
  /** The claim of the process that writes it; empty: none. */
  readonly run: string
}

/** The older one, if there should be two. */
export async function findSampleRow(records: Records): Promise<SampleRow | undefined> {
  const row = await records
    .selectFrom('properties')
    .selectAll()
    .where('is_sample', '>', 0)
    .where('key', 'not like', 'removed%')
    .orderBy('created_ts')
    .orderBy('id')
    .executeTakeFirst()
  return row && { property: toProperty(row), isWhole: row.is_sample === SAMPLE_WHOLE, run: row.sample_run }
}

export async function markSample(records: Records, id: string, isWhole: boolean): Promise<void> {
  await records
    .updateTable('properties')
    .set({ is_sample: isWhole ? SAMPLE_WHOLE : SAMPLE_BEGUN })
    .where('id', '=', id)
    .where('is_sample', '>', 0)
    .execute()
}

/** False when it is no longer `before`, or the property is being removed. */
export async function swapSampleRunOf(records: Records, id: string, before: string, after: string): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('properties')
    .set({ sample_run: after })
    .where('id', '=', id)
    .where('key', 'not like', 'removed%')
    .where('sample_run', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function raiseErasures(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('properties')
    .set((of) => ({ people_erased: of('people_erased', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** By property; without removed ones. */
export async function selectErasures(records: Records, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('properties')
    .select(['id', 'people_erased'])
    .where('id', 'in', ids)
    .where('key', 'not like', 'removed%')
    .execute()
  return new Map(rows.map(({ id, people_erased }) => [id, people_erased]))
}

export async function countProperties(records: Records, filter?: PropertyFilter): Promise<number> {
  const row = await propertiesWith(records, filter)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertProperty(records: Records, property: Property): Promise<void> {
  await records
    .insertInto('properties')
    .values({
      ...property,
      currency: property.currency ?? '',
      domains: JSON.stringify(property.domains),
      excluded_addresses: JSON.stringify(property.excluded_addresses),
      excluded_paths: JSON.stringify(property.excluded_paths),
      is_token_only: Number(property.is_token_only),
      is_listed_only: Number(property.is_listed_only),
      is_sample: property.is_sample ? SAMPLE_BEGUN : 0,
      search: searchText(property.name),
    })
    .execute()
}

export type PropertyChange = Partial<
  Pick<
    Property,
    | 'name'
    | 'domains'
    | 'default_period'
    | 'timezone'
    | 'week_start'
    | 'client'
    | 'currency'
    | 'plan'
    | 'content_policy'
    | 'proxy_key_hash'
    | 'excluded_addresses'
    | 'excluded_paths'
    | 'is_token_only'
    | 'is_listed_only'
    | 'browser_max_usd'
    | 'kept_days'
    | 'dead_link_url'
  >
>

/** The first one is the judge: of two orders at once one finds a currency already. */
export async function adoptCurrencyRow(records: Records, id: string, currency: string): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('properties')
    .set({ currency })
    .where('id', '=', id)
    .where('currency', '=', '')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Undefined when there is no such property. */
export async function updatePropertyRow(
  records: Records,
  id: string,
  { domains, excluded_addresses, excluded_paths, is_token_only, is_listed_only, currency, ...rest }: PropertyChange,
): Promise<Property | undefined> {
  const change = {
    ...rest,
    ...(currency !== undefined && { currency: currency ?? '' }),
    ...(domains && { domains: JSON.stringify(domains) }),
    ...(excluded_addresses && { excluded_addresses: JSON.stringify(excluded_addresses) }),
    ...(excluded_paths && { excluded_paths: JSON.stringify(excluded_paths) }),
    ...(is_token_only !== undefined && { is_token_only: Number(is_token_only) }),
    ...(is_listed_only !== undefined && { is_listed_only: Number(is_listed_only) }),
    ...(rest.name !== undefined && { search: searchText(rest.name) }),
  }
  // Setting the id to itself changes nothing, and keeps an empty change a valid statement.
  const row = await records
    .updateTable('properties')
    .set({ id, ...change })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toProperty(row)
}

/**
 * Replaces the key by one that no visitor can name, and deletes its tokens: nothing reaches the property any
 * more. False when there is none.
 */
export async function closePropertyRow(records: Records, id: string): Promise<boolean> {
  return records.transaction().execute(async (tx) => {
    const closed = tx
      .updateTable('properties')
      .set({ key: `removed_${id}` })
      .where('id', '=', id)
    const { numUpdatedRows } = await closed.executeTakeFirst()
    await tx.deleteFrom('tokens').where('property_id', '=', id).execute()
    return numUpdatedRows > 0n
  })
}

/** Cascades to what still belongs to it. */
export async function deletePropertyRow(records: Records, id: string): Promise<void> {
  await records.deleteFrom('properties').where('id', '=', id).execute()
}
