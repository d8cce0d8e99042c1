// Where a property sends people whose link leads nowhere. It may not be a short link: whoever came back would
// go round for ever.
import type { Config } from '../config.ts'
import type { Records } from '../stores/records.ts'
import { destinationAt } from './destination.ts'
import { listDomainRows } from './domain-records.ts'
import { shortUrls } from './draft.ts'

interface DeadLinkDeps {
  readonly config: Config
  readonly records: Records
}

/**
 * By the rules of a destination. Hosts that the property has only asked for are refused too: links will live
 * there.
 * @param propertyId undefined for one that is not stored yet.
 * @throws Problem('validation_failed') about dead_link_url.
 */
export async function readDeadLinkUrl(
  deps: DeadLinkDeps,
  propertyId: string | undefined,
  written: string,
): Promise<string> {
  const { urls, hosts } = await shortUrls(deps)
  const asked = propertyId === undefined ? [] : await listDomainRows(deps.records, propertyId)
  return destinationAt('dead_link_url', written, { urls, hosts: new Set([...hosts, ...asked.map(({ host }) => host)]) })
}
