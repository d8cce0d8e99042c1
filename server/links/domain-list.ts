// The domains of a property's own as their owner sees them.
import type { Config } from '../config.ts'
import type { Records } from '../stores/records.ts'
import { type OwnDomain, shownDomain } from './domain-model.ts'
import { countLinksAt, listDomainRows } from './domain-records.ts'

interface ShowDeps {
  readonly config: Config
  readonly records: Records
}

export type ShownDomain = ReturnType<typeof shownDomain>

export async function showDomain(
  { config, records }: ShowDeps,
  propertyId: string,
  one: OwnDomain,
): Promise<ShownDomain> {
  return shownDomain(config, one, await countLinksAt(records, propertyId, one.host))
}

export async function listOwnDomains(deps: ShowDeps, propertyId: string): Promise<ShownDomain[]> {
  const rows = await listDomainRows(deps.records, propertyId)
  return Promise.all(rows.map((row) => showDomain(deps, propertyId, row)))
}
