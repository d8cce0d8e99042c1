// The statements about conversions. Every one names its property, but for what works for all of them.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { Conversion } from './conversion-model.ts'

const columns = ['id', 'property_id', 'name', 'event_type', 'event_value', 'created_ts'] as const

type ConversionRow = Pick<RecordTables['conversions'], (typeof columns)[number]>

const toConversion = (row: ConversionRow): Conversion => ({
  ...row,
  event_type: row.event_type as Conversion['event_type'],
})

const conversionsOf = (records: Records, propertyId: string) =>
  records.selectFrom('conversions').where('property_id', '=', propertyId)

export async function findConversion(
  records: Records,
  propertyId: string,
  id: string,
): Promise<Conversion | undefined> {
  const row = await conversionsOf(records, propertyId).select(columns).where('id', '=', id).executeTakeFirst()
  return row && toConversion(row)
}

export async function countConversions(records: Records, propertyId: string): Promise<number> {
  const { count } = await conversionsOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export async function listConversionRows(
  records: Records,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<Conversion>> {
  const rows = await conversionsOf(records, propertyId)
    .select(columns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return { rows: rows.map(toConversion), total: await countConversions(records, propertyId) }
}

/** Of all properties. */
export async function listAllConversions(records: Records): Promise<readonly Conversion[]> {
  return (await records.selectFrom('conversions').select(columns).execute()).map(toConversion)
}

/** @throws a foreign key violation when the property is gone. */
export async function insertConversion(tx: Tx, conversion: Conversion): Promise<void> {
  await tx.insertInto('conversions').values(conversion).execute()
}

/** As it is now; undefined when there is none. */
export async function updateConversionRow(
  records: Records,
  propertyId: string,
  id: string,
  change: Partial<Pick<Conversion, 'name' | 'event_type' | 'event_value'>>,
): Promise<Conversion | undefined> {
  // Setting the id to itself changes nothing and makes an empty change a valid statement.
  const row = await records
    .updateTable('conversions')
    .set({ id, ...change })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toConversion(row)
}

/** Whether it exists. If so, it cannot be deleted until the transaction ends. */
export async function keepConversion(tx: Tx, propertyId: string, id: string): Promise<boolean> {
  return (await updateConversionRow(tx, propertyId, id, {})) !== undefined
}

/** False when there is no such conversion. */
export async function deleteConversionRow(tx: Tx, propertyId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('conversions')
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
