// What is changed of a link. Its group and id stay; its code goes along to the other domain where it is free.
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Tx } from '../stores/records.ts'
import { clearLeftBehind, isCodeTaken, leaveBehind } from './code-records.ts'
import { randomCode } from './codes.ts'
import { checkLocation, readDestination } from './destination.ts'
import { changeLinks, type LinkDeps } from './groups.ts'
import type { Link } from './link-model.ts'
import { getLink } from './read.ts'
import { type LinkChange, linkNotFound, ownUrls, readName, readUtm, show, type ShownLink } from './draft.ts'
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
  }
}

/**
 * The code goes along where it is free. Where the link comes back to, it has the code that it had there.
 * @param link with the domain that it moves to.
 */
async function moveLink(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  link: Link,
): Promise<Link> {
  let code = (await clearLeftBehind(tx, propertyId, link.id, link.domain)) ?? link.code
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!(await isCodeTaken(tx, { domain: link.domain, code }))) return { ...link, code }
    code = randomCode(randomBytes)
  }
  throw new Problem('unavailable', 'No free code was found: try again.', { retryAfterSeconds: 1 })
}

const isNothing = ({ destination_url, domain, name, utm, is_active }: LinkChange): boolean =>
  [destination_url, domain, name, utm, is_active].every((value) => value === undefined)

/** @throws Problem: not_found; validation_failed for a destination that may not be. */
export async function updateLink(
  deps: LinkDeps,
  propertyId: string,
  id: string,
  change: LinkChange,
): Promise<ShownLink> {
  const { destination_url: written, domain } = change
  const destination = written === undefined ? undefined : readDestination(written, ownUrls(deps.config))
  // Counted first: an answer that cannot be given must not stand for a change that was made.
  const before = await getLink(deps, propertyId, id)
  if (isNothing(change)) return before
  return changeLinks(deps, async (tx, changeNo) => {
    const link = await findLink(tx, propertyId, id)
    if (!link) throw linkNotFound()
    const edited = changed(link, change, destination)
    if (destination !== undefined || change.utm !== undefined) checkLocation(edited.destination_url, edited.utm)
    const isMoved = domain !== undefined && domain !== link.domain
    const next = isMoved ? await moveLink(deps, tx, propertyId, { ...edited, domain }) : edited
    await updateLinkRow(tx, propertyId, next, changeNo)
    if (isMoved) await leaveBehind(tx, propertyId, link, changeNo)
    return show(deps.config, next, before.clicks)
  })
}
