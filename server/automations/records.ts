// The statements about automations. Past this file the actions are a list. Every statement names its
// property.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import type { Records, Tx } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { Automation, WebhookAction } from './automation-model.ts'

/** What is known of one but its secrets. */
export interface StoredAutomation extends Automation {
  /** Until when the secret before signs as well, unix seconds; null without one. */
  readonly previous_until_ts: number | null
}

/** Its secrets, sealed. */
export type SealedSecrets = Pick<RecordTables['automations'], 'id' | 'secret' | 'previous_secret' | 'previous_until_ts'>

const columns = [
  'id',
  'property_id',
  'name',
  'event_type',
  'event_value',
  'conversion_id',
  'actions',
  'is_active',
  'disabled_reason',
  'disabled_ts',
  'failures',
  'previous_until_ts',
  'created_ts',
  'updated_ts',
] as const

type AutomationRow = Pick<RecordTables['automations'], (typeof columns)[number]>

const toAutomation = (row: AutomationRow): StoredAutomation => ({
  ...row,
  event_type: row.event_type as TriggerType,
  actions: JSON.parse(row.actions) as WebhookAction[],
  is_active: row.is_active === 1,
})

const automationsOf = (records: Records, propertyId: string) =>
  records.selectFrom('automations').where('property_id', '=', propertyId)

export async function findAutomation(
  records: Records,
  propertyId: string,
  id: string,
): Promise<StoredAutomation | undefined> {
  const row = await automationsOf(records, propertyId).select(columns).where('id', '=', id).executeTakeFirst()
  return row && toAutomation(row)
}

export async function countAutomations(records: Records, propertyId: string): Promise<number> {
  const { count } = await automationsOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export async function listAutomationRows(
  records: Records,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<StoredAutomation>> {
  const rows = await automationsOf(records, propertyId)
    .select(columns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return { rows: rows.map(toAutomation), total: await countAutomations(records, propertyId) }
}

/** Of all properties: those that the service has switched off since then, and that are still off. */
export async function listDisabledSince(records: Records, sinceTs: number): Promise<StoredAutomation[]> {
  const rows = await records
    .selectFrom('automations')
    .select(columns)
    .where('is_active', '=', 0)
    .where('disabled_ts', '>=', sinceTs)
    .orderBy('seq')
    .execute()
  return rows.map(toAutomation)
}

/** One that has the conversion as its condition. */
export async function findUserOf(
  records: Records,
  propertyId: string,
  conversionId: string,
): Promise<StoredAutomation | undefined> {
  const row = await automationsOf(records, propertyId)
    .select(columns)
    .where('conversion_id', '=', conversionId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row && toAutomation(row)
}

/** @throws a foreign key violation when the property is gone. */
export async function insertAutomation(tx: Tx, automation: StoredAutomation, sealedSecret: string): Promise<void> {
  const { actions, is_active, ...row } = automation
  await tx
    .insertInto('automations')
    .values({
      ...row,
      actions: JSON.stringify(actions),
      is_active: Number(is_active),
      secret: sealedSecret,
      previous_secret: null,
    })
    .execute()
}

export type AutomationChange = Partial<
  Pick<
    StoredAutomation,
    | 'name'
    | 'event_type'
    | 'event_value'
    | 'conversion_id'
    | 'actions'
    | 'is_active'
    | 'disabled_reason'
    | 'disabled_ts'
    | 'failures'
    | 'updated_ts'
  >
>

/** As it is afterwards; undefined when there is none. It stays locked until the transaction ends. */
export async function updateAutomationRow(
  tx: Tx,
  propertyId: string,
  id: string,
  { actions, is_active, ...rest }: AutomationChange,
): Promise<StoredAutomation | undefined> {
  const row = await tx
    .updateTable('automations')
    .set({
      // Setting the id to itself changes nothing and makes an empty change a valid statement.
      id,
      ...rest,
      ...(actions && { actions: JSON.stringify(actions) }),
      ...(is_active !== undefined && { is_active: Number(is_active) }),
    })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toAutomation(row)
}

/** The secret that signs from now on. Undefined when there is no such automation. */
export async function replaceSecret(
  tx: Tx,
  propertyId: string,
  id: string,
  { sealedSecret, previousUntilTs, nowTs }: { sealedSecret: string; previousUntilTs: number | null; nowTs: number },
): Promise<StoredAutomation | undefined> {
  const row = await tx
    .updateTable('automations')
    .set((of) => ({
      previous_secret: previousUntilTs === null ? null : of.ref('secret'),
      previous_until_ts: previousUntilTs,
      secret: sealedSecret,
      updated_ts: nowTs,
    }))
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toAutomation(row)
}

/**
 * Secrets that a rotation has replaced and whose time is over are not kept.
 * @returns how many were removed.
 */
export async function forgetOldSecrets(records: Records, nowTs: number): Promise<number> {
  const { numUpdatedRows } = await records
    .updateTable('automations')
    .set({ previous_secret: null, previous_until_ts: null })
    .where('previous_until_ts', '<=', nowTs)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function deleteAutomationRow(records: Records, propertyId: string, id: string): Promise<void> {
  await records.deleteFrom('automations').where('property_id', '=', propertyId).where('id', '=', id).execute()
}

/** With their attempts. */
export async function deleteDeliveries(records: Records, propertyId: string, id: string): Promise<void> {
  const own = records.selectFrom('deliveries').select('seq').where('automation_id', '=', id).orderBy('seq')
  const rows = records.deleteFrom('deliveries').where('property_id', '=', propertyId)
  await inSteps((most) => changedBy(rows.where('seq', 'in', own.limit(most))))
}
