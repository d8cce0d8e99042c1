// The statements about lists whose members confirm by email, and who is in them.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { RecordTables } from '../stores/tables.ts'

export type Membership = Readonly<RecordTables['list_memberships']>
export type ListRule = Readonly<RecordTables['list_rules']>

// ---------------------------------------------------------------- lists

export const listRules = (records: Records | Tx, propertyId: string): Promise<ListRule[]> =>
  records.selectFrom('list_rules').selectAll().where('property_id', '=', propertyId).orderBy('list_key').execute()

export async function needsConfirmation(tx: Tx, propertyId: string, key: string): Promise<boolean> {
  const rule = await tx
    .selectFrom('list_rules')
    .select('is_confirmed')
    .where('property_id', '=', propertyId)
    .where('list_key', '=', key)
    .executeTakeFirst()
  return rule?.is_confirmed === 1
}

export async function saveRule(tx: Tx, rule: ListRule): Promise<void> {
  const { name, is_confirmed } = rule
  await tx
    .insertInto('list_rules')
    .values(rule)
    .onConflict((conflict) => conflict.columns(['property_id', 'list_key']).doUpdateSet({ name, is_confirmed }))
    .execute()
}

type ListForm = Readonly<RecordTables['list_forms']>

export const listListForms = (records: Records | Tx, propertyId: string): Promise<ListForm[]> =>
  records.selectFrom('list_forms').selectAll().where('property_id', '=', propertyId).orderBy('form_id').execute()

/** @param formIds of the property. */
export async function replaceListForms(
  tx: Tx,
  propertyId: string,
  list_key: string,
  formIds: readonly string[],
): Promise<void> {
  await tx.deleteFrom('list_forms').where('property_id', '=', propertyId).where('list_key', '=', list_key).execute()
  if (formIds.length === 0) return
  await tx
    .insertInto('list_forms')
    .values(formIds.map((form_id) => ({ property_id: propertyId, list_key, form_id })))
    .execute()
}

/** The lists that whoever fills in the form asks for. */
export async function listsOfForm(
  tx: Tx,
  propertyId: string,
  formId: string,
): Promise<{ key: string; name: string }[]> {
  return tx
    .selectFrom('list_forms')
    .innerJoin('list_rules', (join) =>
      join
        .onRef('list_rules.list_key', '=', 'list_forms.list_key')
        .onRef('list_rules.property_id', '=', 'list_forms.property_id'),
    )
    .select(['list_rules.list_key as key', 'list_rules.name'])
    .where('list_forms.property_id', '=', propertyId)
    .where('list_forms.form_id', '=', formId)
    .execute()
}

// ---------------------------------------------------------------- members

const membershipsOf = (records: Records | Tx, propertyId: string) =>
  records.selectFrom('list_memberships').selectAll().where('property_id', '=', propertyId)

export const findMembership = (
  tx: Tx,
  propertyId: string,
  listKey: string,
  emailKey: string,
): Promise<Membership | undefined> =>
  membershipsOf(tx, propertyId).where('list_key', '=', listKey).where('email_key', '=', emailKey).executeTakeFirst()

/** @param by the link of an email. Held for the rest of the transaction. */
export async function holdByLink(tx: Tx, by: 'id' | 'confirm_id', id: string): Promise<Membership | undefined> {
  return tx
    .updateTable('list_memberships')
    .set((of) => ({ mails: of.ref('mails') }))
    .where(by, '=', id)
    .returningAll()
    .executeTakeFirst()
}

export const findByLink = (records: Records, by: 'id' | 'confirm_id', id: string): Promise<Membership | undefined> =>
  records.selectFrom('list_memberships').selectAll().where(by, '=', id).executeTakeFirst()

export const listMemberships = (records: Records | Tx, propertyId: string, contactId: string): Promise<Membership[]> =>
  membershipsOf(records, propertyId).where('contact_id', '=', contactId).orderBy('list_key').execute()

/** Of two requests at once the first one counts. */
export async function insertMembership(tx: Tx, membership: Membership): Promise<void> {
  await tx
    .insertInto('list_memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['property_id', 'list_key', 'email_key']).doNothing())
    .execute()
}

export async function updateMembership(
  tx: Tx,
  { id }: Pick<Membership, 'id'>,
  change: Partial<Membership>,
): Promise<Membership> {
  return tx.updateTable('list_memberships').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** In each state, by list. */
export async function countMemberships(records: Records, propertyId: string) {
  return records
    .selectFrom('list_memberships')
    .select((of) => ['list_key', 'state', of.fn.countAll<number>().as('count')])
    .where('property_id', '=', propertyId)
    .groupBy(['list_key', 'state'])
    .execute()
}

/** Whom a member takes off a list: whoever left by themselves stays known as such. */
export async function dropConfirmed(tx: Tx, contactId: string, keptKeys: readonly string[]): Promise<number> {
  const rows = tx.deleteFrom('list_memberships').where('contact_id', '=', contactId).where('state', '=', 'confirmed')
  return changedBy(rows.$if(keptKeys.length > 0, (some) => some.where('list_key', 'not in', keptKeys)))
}

/** In the transaction that erases the person. */
export async function eraseMemberships(
  tx: Tx,
  propertyId: string,
  person: { readonly contact_ids: readonly string[]; readonly email_keys: readonly string[] },
): Promise<void> {
  const own = tx.deleteFrom('list_memberships').where('property_id', '=', propertyId)
  await own.where('contact_id', 'in', person.contact_ids).execute()
  if (person.email_keys.length > 0) await own.where('email_key', 'in', person.email_keys).execute()
}

const BATCH = 500

/** Of all contacts of a property, for whoever takes everything along. */
export async function* membershipBatches(records: Records, propertyId: string): AsyncGenerator<Membership[]> {
  for (let last = ''; ;) {
    const rows = await membershipsOf(records, propertyId).where('id', '>', last).orderBy('id').limit(BATCH).execute()
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)!.id
  }
}
