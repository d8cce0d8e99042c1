// By what else contacts are known, once others were merged into them: ids, external ids and emails.
import { type RawBuilder, sql } from 'kysely'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export type Alias = Readonly<RecordTables['contact_aliases']>
type AliasKind = Alias['kind']

const aliasesOf = (records: Records | Tx, propertyId: string) =>
  records.selectFrom('contact_aliases').where('property_id', '=', propertyId)

/** The contacts that one leads to: several may have had the same email. */
export async function listByAliasOf(
  records: Records | Tx,
  propertyId: string,
  kind: AliasKind,
  alias: string,
): Promise<string[]> {
  const rows = await aliasesOf(records, propertyId)
    .select('contact_id')
    .where('kind', '=', kind)
    .where('alias', '=', alias)
    .execute()
  return [...new Set(rows.map(({ contact_id }) => contact_id))]
}

/** Of ids, which lead to one contact. */
export async function findByAlias(
  records: Records | Tx,
  propertyId: string,
  kind: Exclude<AliasKind, 'email'>,
  alias: string,
): Promise<string | undefined> {
  return (await listByAliasOf(records, propertyId, kind, alias))[0]
}

/** A condition on `contacts`. */
export const hasAlias = (kind: AliasKind, alias: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from contact_aliases where contact_aliases.contact_id = contacts.id
    and contact_aliases.property_id = contacts.property_id and contact_aliases.kind = ${kind}
    and contact_aliases.alias = ${alias})`

/** The contacts that an email leads to, as listByAddress answers them. */
export async function listByEmailAlias(records: Records | Tx, propertyId: string, emailKey: string) {
  return records
    .selectFrom('contact_aliases')
    .innerJoin('contacts', 'contacts.id', 'contact_aliases.contact_id')
    .select(['contacts.id', 'contacts.last_seen_ms', 'contacts.seq', 'contact_aliases.given_by'])
    .where('contact_aliases.property_id', '=', propertyId)
    .where('contact_aliases.kind', '=', 'email')
    .where('contact_aliases.alias', '=', emailKey)
    .execute()
}

/** Of one contact. */
export async function listAliases(records: Records | Tx, propertyId: string, contactId: string): Promise<Alias[]> {
  return aliasesOf(records, propertyId)
    .selectAll()
    .where('contact_id', '=', contactId)
    .orderBy('kind')
    .orderBy('alias')
    .execute()
}

/**
 * Of ids of contacts those that were merged, with whom each leads to. @param ids few enough for one
 * statement.
 */
export async function listMergedIds(records: Records, propertyId: string, ids: readonly string[]) {
  return aliasesOf(records, propertyId)
    .select(['alias', 'contact_id'])
    .where('kind', '=', 'id')
    .where('alias', 'in', ids)
    .execute()
}

const BATCH = 500

/** Of all contacts of a property, for whoever takes everything along. */
export async function* aliasBatches(records: Records, propertyId: string) {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await aliasesOf(records, propertyId)
      .select(['contact_id', 'kind', 'shown'])
      .orderBy('kind')
      .orderBy('alias')
      .orderBy('contact_id')
      .orderBy('merge_id')
      .offset(offset)
      .limit(BATCH)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
  }
}

/** In the transaction that erases the person: ids of contacts say nothing of anybody, and still lead here. */
export async function eraseAliases(tx: Tx, propertyId: string, contactId: string): Promise<void> {
  await tx
    .deleteFrom('contact_aliases')
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .where('kind', '!=', 'id')
    .execute()
}
