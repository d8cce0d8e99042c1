// What is changed of a link. Its group and id stay; its code goes along to the other domain where it is free.
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Tx } from '../stores/records.ts'
import { clearLeftBehind, isCodeTaken, keyOf, leaveBehind, shadowedAmong } from './code-records.ts'
import { randomCode } from './codes.ts'
import { checkLocation, readDestination } from './destination.ts'
import { changeLinks, type LinkDeps } from './groups.ts'
import type { OwnHosts } from './domain-model.ts'
import { ownHostsOf } from './domain-records.ts'
import { type Domain, type Link, placeOf } from './link-model.ts'
import { readNotes, readTags } from './labels.ts'
import { getLink } from './read.ts'
import { type LinkChange, linkNotFound, readName, readUtm, shortUrls, show, type ShownLink } from './draft.ts'
import { findLink, updateLinkRow } from './records.ts'

/** A code that is drawn is free in all but one case of a million. */
const MAX_ATTEMPTS = 20

function changed(link: Link, change: LinkChange, destination: string | undefined): Link {
  return {
    ...link,
    ...(destination !== undefined && { destination_url: destination }),
    ...(change.name !== undefined && { name: readName(change.name) }),
    ...(change.utm !== undefined && { utm: readUtm(link.utm, change.utm) }),
    ...(change.is_active !== undefined && { is_active: change.is_active }),
    ...(change.tags !== undefined && { tags: readTags('tags', change.tags) }),
    ...(change.notes !== undefined && { notes: readNotes(change.notes) }),
    ...(change.is_archived !== undefined && { is_archived: change.is_archived }),
  }
}

/**
 * The code goes along where it is free. Where the link comes back to, it has the code that it had there.
 * @param link with the place that it moves to.
 */
async function moveLink(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  link: Link,
): Promise<Link> {
  let code = (await clearLeftBehind(tx, propertyId, link.id, placeOf(link))) ?? link.code
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const moved = { ...link, code }
    const isShadowed = (await shadowedAmong(tx, propertyId, [moved])).size > 0
    if (!isShadowed && !(await isCodeTaken(tx, keyOf(moved)))) return moved
    code = randomCode(randomBytes)
  }
  throw new Problem('unavailable', 'No free code was found. Try again.', { retryAfterSeconds: 1 })
}

type Where = Pick<Link, 'domain' | 'host'>

/**
 * Undefined where it stays. It leaves for another short domain, and a host that is the property's no more;
 * one on the short domain itself stays there, though the property has a host by now, and answers on both.
 */
function newPlace(link: Where, domain: Domain, hosts: OwnHosts): Where | undefined {
  const host = hosts.get(domain) ?? null
  const isLost = link.host !== null && link.host !== host
  return domain !== link.domain || isLost ? { domain, host } : undefined
}

const isNothing = ({ destination_url, domain, name, utm, is_active, tags, notes, is_archived }: LinkChange): boolean =>
  [destination_url, domain, name, utm, is_active, tags, notes, is_archived].every((value) => value === undefined)

/** @throws Problem: not_found; validation_failed for a destination that may not be. */
export async function updateLink(
  deps: LinkDeps,
  propertyId: string,
  id: string,
  change: LinkChange,
): Promise<ShownLink> {
  const { destination_url: written, domain } = change
  const destination = written === undefined ? undefined : readDestination(written, await shortUrls(deps))
  // Counted first: an answer that cannot be given must not stand for a change that was made.
  const before = await getLink(deps, propertyId, id)
  if (isNothing(change)) return before
  return changeLinks(deps, async (tx, changeNo) => {
    const link = await findLink(tx, propertyId, id)
    if (!link) throw linkNotFound()
    const edited = changed(link, change, destination)
    if (destination !== undefined || change.utm !== undefined) checkLocation(edited.destination_url, edited.utm)
    const goal = domain === undefined ? undefined : newPlace(link, domain, await ownHostsOf(tx, propertyId))
    const next = goal ? await moveLink(deps, tx, propertyId, { ...edited, ...goal }) : edited
    await updateLinkRow(tx, propertyId, next, changeNo)
    if (goal) await leaveBehind(tx, propertyId, link, changeNo)
    return show(deps.config, next, before.clicks)
  })
}
