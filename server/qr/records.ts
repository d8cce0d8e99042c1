// The statements about how the QR codes of a property look.
import type { Records } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

type Row = Omit<RecordTables['qr_looks'], 'property_id'>

export const findLookRow = (records: Records, propertyId: string): Promise<Row | undefined> =>
  records.selectFrom('qr_looks').select(['look', 'logo']).where('property_id', '=', propertyId).executeTakeFirst()

/** @throws a foreign key violation when the property is gone. */
export async function saveLookRow(records: Records, propertyId: string, row: Row): Promise<void> {
  await records
    .insertInto('qr_looks')
    .values({ property_id: propertyId, ...row })
    .onConflict((of) => of.column('property_id').doUpdateSet(row))
    .execute()
}
