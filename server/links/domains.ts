// Domains of a property's own: added, proven, checked again, removed. Two things are proven: that whoever
// adds a domain may change its DNS records, and that requests for it arrive here.
import type { Context } from '../context.ts'
import { currentTs } from '../kernel/deps.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { changeLinks } from './groups.ts'
import {
  type DomainFault,
  hostUrl,
  type OwnDomain,
  PROOF_PATH,
  proofOf,
  isHost,
  readHost,
  txtName,
  txtValue,
} from './domain-model.ts'
import { showDomain, type ShownDomain } from './domain-list.ts'
import type { DomainProbe } from './domain-probe.ts'
import {
  type DomainChange,
  findDomainRow,
  insertDomain,
  listDomainRows,
  takeFromOthers,
  updateDomain,
} from './domain-records.ts'
import type { Domain } from './link-model.ts'

export type DomainDeps = Pick<Context, 'config' | 'records' | 'links' | 'log' | 'now' | 'randomBytes' | 'keys'> & {
  readonly domainProbe: DomainProbe
}

const domainNotFound = (): Problem => new Problem('not_found', 'The domain is not in this property.')

async function getDomain(deps: DomainDeps, propertyId: string, host: string): Promise<OwnDomain> {
  const found = isHost(host) ? await findDomainRow(deps.records, propertyId, host) : undefined
  if (!found) throw domainNotFound()
  return found
}

/** Nothing answers there until it is checked. @throws Problem('validation_failed') */
export async function addDomain(
  deps: DomainDeps,
  propertyId: string,
  { host: written, domain }: { readonly host: string; readonly domain: Domain },
): Promise<ShownDomain> {
  const host = readHost(deps.config, written)
  const now = currentTs(deps)
  const row: OwnDomain = {
    host,
    domain,
    token: newId(deps, 'dv'),
    state: 'pending',
    fault: null,
    checked_ts: null,
    verified_ts: null,
    created_ts: now,
  }
  await changeLinks(deps, async (tx, changeNo) => {
    const known = await listDomainRows(tx, propertyId)
    if (known.some((one) => one.host === host)) throw invalid('host', 'host is a domain of this property already.')
    if (known.some((one) => one.domain === domain))
      throw invalid('domain', 'domain has a domain of its own already: remove that one first.')
    await insertDomain(tx, propertyId, row, changeNo)
  })
  return showDomain(deps, propertyId, row)
}

/** Undefined when the text record is there. */
async function txtFault(
  { domainProbe, log }: DomainDeps,
  { host, token }: OwnDomain,
): Promise<DomainFault | undefined> {
  try {
    const texts = await domainProbe.txt(txtName(host))
    return texts.some((text) => text.trim() === txtValue(token)) ? undefined : 'txt_missing'
  } catch (error) {
    log.info({ err: error }, 'the text records of a domain could not be looked up')
    return 'dns_away'
  }
}

/** Undefined when a request for the host ends here, under that name. */
async function reachFault(deps: DomainDeps, { host }: OwnDomain): Promise<DomainFault | undefined> {
  const answer = await deps.domainProbe.ask(`${hostUrl(host)}${PROOF_PATH}`)
  if ('fault' in answer) return answer.fault
  return answer.body.trim() === proofOf(deps, host) ? undefined : 'other_service'
}

async function note(deps: DomainDeps, propertyId: string, host: string, change: DomainChange): Promise<void> {
  await changeLinks(deps, async (tx, changeNo) => {
    if (change.state === 'verified') await takeFromOthers(tx, propertyId, host, changeNo)
    if (!(await updateDomain(tx, propertyId, host, { ...change, change_no: changeNo }))) throw domainNotFound()
  })
}

/**
 * Looks at both proofs. A domain that was verified stays so when a check fails: links in print do not go for
 * a fault that may pass, and the owner reads what is wrong.
 * @throws Problem('not_found')
 */
export async function checkDomain(deps: DomainDeps, propertyId: string, host: string): Promise<ShownDomain> {
  const one = await getDomain(deps, propertyId, host)
  const isKept = one.state === 'verified'
  const checked_ts = currentTs(deps)
  const ofText = await txtFault(deps, one)
  if (ofText === undefined && !isKept) await note(deps, propertyId, host, { state: 'proven', fault: null, checked_ts })
  const fault = ofText ?? (await reachFault(deps, one)) ?? null
  const isVerified = fault === null
  await note(deps, propertyId, host, {
    fault,
    checked_ts,
    ...(isVerified && { state: 'verified', verified_ts: one.verified_ts ?? checked_ts }),
    // No certificate for a name whose record has gone, or was never there.
    ...(ofText === 'txt_missing' && !isKept && { state: 'pending' }),
  })
  return showDomain(deps, propertyId, await getDomain(deps, propertyId, host))
}

/** Its links stop answering there until the property proves it again. @throws Problem('not_found') */
export async function removeDomain(deps: DomainDeps, propertyId: string, host: string): Promise<void> {
  await getDomain(deps, propertyId, host)
  await note(deps, propertyId, host, { state: 'removed', verified_ts: null })
}
