// Short links: a code that leads to a destination. Their rules; what a visitor of one meets is the
// redirect's.
import { changeLinks, type LinkDeps } from './groups.ts'
import { deleteLinkRow } from './records.ts'
import { isLinkId, linkNotFound } from './draft.ts'

export { createLink, createLinks, type NewLinks } from './create.ts'
export { updateLink } from './edit.ts'
export { findLinks } from './records.ts'
export { exportLinks, linkBatches } from './export.ts'
export { listGroups, newGroup } from './groups.ts'
export { everyGroup } from './group-words.ts'
export { type Domain, type LinkGroup, type Purpose, type Utm, utmNames } from './link-model.ts'
export { withUtm } from './utm.ts'
export { type LinkDraft, readUtm, type ShownLink } from './draft.ts'
export { getLink, getShortUrl, listLinks, searchedWords } from './read.ts'
export { placeUrl } from './domain-model.ts'
export { isProvenHost } from './domain-records.ts'
export { listOwnDomains } from './domain-list.ts'

/** Its code answers 404 and is given to no other. Its clicks stay. @throws Problem('not_found') */
export async function removeLink(deps: LinkDeps, propertyId: string, id: string): Promise<void> {
  if (!isLinkId(id)) throw linkNotFound()
  await changeLinks(deps, async (tx, changeNo) => {
    if (!(await deleteLinkRow(tx, propertyId, id, changeNo))) throw linkNotFound()
  })
}
