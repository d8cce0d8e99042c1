// The statements about who gets which mail.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { SubscriptionRow } from '../stores/tables/mail-tables.ts'
import type { ListRef } from './subscription-model.ts'

const nameOf = ({ kind, formId }: ListRef): string => (formId === undefined ? kind : `${kind}:${formId}`)

/** In the order in which they were added. */
export const listRows = (records: Records | Tx, ref: ListRef): Promise<SubscriptionRow[]> =>
  records
    .selectFrom('subscriptions')
    .selectAll()
    .where('property_id', '=', ref.propertyId)
    .where('list', '=', nameOf(ref))
    .orderBy('created_ms')
    .orderBy('email_key')
    .execute()

/**
 * Whoever is in the list stays as they are. @throws a foreign key violation when what it is about is gone.
 */
export async function insertSubscriber(
  tx: Tx,
  ref: ListRef,
  row: Omit<SubscriptionRow, 'property_id' | 'form_id' | 'list'>,
): Promise<void> {
  await tx
    .insertInto('subscriptions')
    .values({ ...row, property_id: ref.propertyId, form_id: ref.formId ?? null, list: nameOf(ref) })
    .onConflict((of) => of.columns(['property_id', 'list', 'email_key']).doNothing())
    .execute()
}

/** Whoever unsubscribed stays. */
export async function deleteActiveBut(tx: Tx, ref: ListRef, keys: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('subscriptions')
    .where('property_id', '=', ref.propertyId)
    .where('list', '=', nameOf(ref))
    .where('unsubscribed_ms', 'is', null)
    .$if(keys.length > 0, (rows) => rows.where('email_key', 'not in', keys))
    .execute()
}

export async function listPropertiesWith(records: Records, kind: ListRef['kind']): Promise<string[]> {
  const rows = await records
    .selectFrom('subscriptions')
    .select('property_id')
    .distinct()
    .where('list', '=', kind)
    .where('unsubscribed_ms', 'is', null)
    .execute()
  return rows.map(({ property_id }) => property_id)
}

export const findRow = (records: Records, id: string): Promise<SubscriptionRow | undefined> =>
  records.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

/** @param atMs null: subscribed again. False when there is no such subscription. */
export async function updateUnsubscribed(records: Records, id: string, atMs: number | null): Promise<boolean> {
  const change = records.updateTable('subscriptions').set({ unsubscribed_ms: atMs }).where('id', '=', id)
  return (await changedBy(change)) > 0
}

/** @param propertyId null: of all properties. */
export async function deleteRowsTo(tx: Tx, propertyId: string | null, emailKey: string): Promise<void> {
  await tx
    .deleteFrom('subscriptions')
    .where('email_key', '=', emailKey)
    .$if(propertyId !== null, (rows) => rows.where('property_id', '=', propertyId!))
    .execute()
}
