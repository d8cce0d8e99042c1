// The statements about domains of properties' own. One host may be asked for by several properties; an index
// lets one of them have it.
import type { Records, Tx } from '../stores/records.ts'
import type { Domain } from './link-model.ts'
import type { DomainState, OwnDomain, OwnHost, OwnHosts } from './domain-model.ts'

const columns = [
  'host',
  'domain',
  'token',
  'state',
  'fault',
  'checked_ts',
  'verified_ts',
  'created_ts',
] as const satisfies readonly (keyof OwnDomain)[]

const kept = (records: Records, propertyId: string) =>
  records.selectFrom('link_domains').where('property_id', '=', propertyId).where('state', '!=', 'removed')

export async function listDomainRows(records: Records, propertyId: string): Promise<OwnDomain[]> {
  return kept(records, propertyId).select(columns).orderBy('domain').execute()
}

export async function findDomainRow(records: Records, propertyId: string, host: string) {
  return kept(records, propertyId).select(columns).where('host', '=', host).executeTakeFirst()
}

/** Where new links of the property live. */
export async function ownHostsOf(records: Records, propertyId: string): Promise<OwnHosts> {
  const rows = await kept(records, propertyId).select(['domain', 'host']).where('state', '=', 'verified').execute()
  return new Map(rows.map(({ domain, host }) => [domain, host]))
}

/** Links in use on a host, also where it was somebody else's before. */
export async function countLinksAt(records: Records, propertyId: string, host: string): Promise<number> {
  const { count } = await records
    .selectFrom('links')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('property_id', '=', propertyId)
    .where('is_deleted', '=', 0)
    .where('domain', '=', host)
    .executeTakeFirstOrThrow()
  return count
}

/** Of every property, for whoever must not lead there. */
export async function verifiedHosts(records: Records): Promise<ReadonlySet<string>> {
  const rows = await records.selectFrom('link_domains').select('host').where('state', '=', 'verified').execute()
  return new Set(rows.map(({ host }) => host))
}

/**
 * Whether a TLS server may get a certificate for it: one that is verified, or whose text record was found
 * since the moment. @param sinceTs Unix seconds.
 */
export async function isProvenHost(records: Records, host: string, sinceTs: number): Promise<boolean> {
  const row = await records
    .selectFrom('link_domains')
    .select('host')
    .where('host', '=', host)
    .where((is) =>
      is.or([is('state', '=', 'verified'), is.and([is('state', '=', 'proven'), is('checked_ts', '>=', sinceTs)])]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** One that was removed before begins anew. @throws a unique violation where its short domain has one. */
export async function insertDomain(tx: Tx, propertyId: string, domain: OwnDomain, changeNo: number): Promise<void> {
  const row = { ...domain, property_id: propertyId, change_no: changeNo }
  await tx
    .insertInto('link_domains')
    .values(row)
    .onConflict((conflict) => conflict.columns(['host', 'property_id']).doUpdateSet(row))
    .execute()
}

export type DomainChange = Partial<Pick<OwnDomain, 'state' | 'fault' | 'checked_ts' | 'verified_ts'>>

/** False when the property has no such domain any more. */
export async function updateDomain(
  tx: Tx,
  propertyId: string,
  host: string,
  change: DomainChange & { readonly change_no: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('link_domains')
    .set(change)
    .where('property_id', '=', propertyId)
    .where('host', '=', host)
    .where('state', '!=', 'removed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whoever has proven it last has it: the others have to prove it again. */
export async function takeFromOthers(tx: Tx, propertyId: string, host: string, changeNo: number): Promise<void> {
  await tx
    .updateTable('link_domains')
    .set({ state: 'pending', fault: 'taken_over', verified_ts: null, change_no: changeNo })
    .where('host', '=', host)
    .where('property_id', '!=', propertyId)
    .where('state', 'in', ['proven', 'verified'])
    .execute()
}

// ---------------------------------------------------------------- what the redirect keeps in memory

export interface HostChange extends OwnHost {
  readonly isVerified: boolean
}

const toChange = (row: { host: string; property_id: string; domain: Domain; state: DomainState }): HostChange => ({
  host: row.host,
  propertyId: row.property_id,
  domain: row.domain,
  isVerified: row.state === 'verified',
})

export async function changedHosts(records: Records, afterNo: number): Promise<HostChange[]> {
  const rows = await records
    .selectFrom('link_domains')
    .select(['host', 'property_id', 'domain', 'state'])
    .where('change_no', '>', afterNo)
    .execute()
  return rows.map(toChange)
}
