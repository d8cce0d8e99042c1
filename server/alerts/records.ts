// The statements about alerts: what properties are watched for, and who was told how often.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { RecordTables } from '../stores/tables.ts'

export type AlertRow = RecordTables['alerts']
export type WatchedFor = Pick<AlertRow, 'live_visitors' | 'has_sessions' | 'has_conversions'>

export const findAlertRow = (records: Records | Tx, propertyId: string): Promise<AlertRow | undefined> =>
  records.selectFrom('alerts').selectAll().where('property_id', '=', propertyId).executeTakeFirst()

/** Of all properties that are watched for anything. */
export const listAlertRows = (records: Records): Promise<AlertRow[]> =>
  records
    .selectFrom('alerts')
    .selectAll()
    .where((of) =>
      of.or([of('live_visitors', 'is not', null), of('has_sessions', '=', 1), of('has_conversions', '=', 1)]),
    )
    .execute()

/** @throws a foreign key violation when the property is gone. */
export async function saveAlertRow(tx: Tx, propertyId: string, row: WatchedFor): Promise<void> {
  await tx
    .insertInto('alerts')
    .values({ property_id: propertyId, ...row, told_day: '', told: 0, judged_ms: 0, above_ms: 0 })
    .onConflict((of) => of.column('property_id').doUpdateSet(row))
    .execute()
}

/** False for an hour that another process has judged. @param hourMs its end. */
export async function claimHour(records: Records, propertyId: string, hourMs: number): Promise<boolean> {
  const claim = records
    .updateTable('alerts')
    .set({ judged_ms: hourMs })
    .where('property_id', '=', propertyId)
    .where('judged_ms', '<', hourMs)
  return (await changedBy(claim)) > 0
}

/** Notes that more visitors than wanted are there. @returns since when the last ones were, as it stood. */
export async function noteAbove(
  records: Records,
  propertyId: string,
  { nowMs, calmMs }: { readonly nowMs: number; readonly calmMs: number },
): Promise<boolean> {
  const first = records
    .updateTable('alerts')
    .set({ above_ms: nowMs })
    .where('property_id', '=', propertyId)
    .where('above_ms', '<=', nowMs - calmMs)
  if ((await changedBy(first)) > 0) return true
  const again = records
    .updateTable('alerts')
    .set({ above_ms: nowMs })
    .where('property_id', '=', propertyId)
    .where('above_ms', '<', nowMs)
  await changedBy(again)
  return false
}

/** One of the few alerts of a day. @returns false when there were as many already. */
export async function takeOne(tx: Tx, propertyId: string, day: string, most: number): Promise<boolean> {
  const first = tx
    .updateTable('alerts')
    .set({ told_day: day, told: 1 })
    .where('property_id', '=', propertyId)
    .where('told_day', '!=', day)
  if ((await changedBy(first)) > 0) return true
  const further = tx
    .updateTable('alerts')
    .set((of) => ({ told: of('told', '+', 1) }))
    .where('property_id', '=', propertyId)
    .where('told_day', '=', day)
    .where('told', '<', most)
  return (await changedBy(further)) > 0
}
