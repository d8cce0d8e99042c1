// Links that would lead round. None can be saved that leads to a short domain; but a host may become one
// later, when links lead there already: most of these end somewhere, and visitors are sent on as before.
import { isCode } from '../links/codes.ts'
import type { LinkDirectory, Target } from './directory.ts'
import type { ShortDomains } from './hosts.ts'

/** More links behind each other are nobody's intention, and browsers end a round at twenty. */
const MOST_LINKS = 5

const partsOf = /^https?:\/\/([^/?#]+)([^#]*)/i

interface LoopDeps {
  readonly links: Pick<LinkDirectory, 'peek'>
  readonly shortDomains: Pick<ShortDomains, 'isShortHost' | 'readHost'>
}

/** The link to which a URL leads; of one with rules it is not known where it leads next. */
function linkAt({ links, shortDomains }: LoopDeps, url: string): Target | undefined {
  const [, host, path = ''] = partsOf.exec(url) ?? []
  if (host === undefined || !shortDomains.isShortHost(host)) return undefined
  const asked = shortDomains.readHost(host, path || '/')
  if (!asked || !isCode(asked.text)) return undefined
  const { domain, own, text } = asked
  if (!own) return links.peek(domain, text)
  const found = links.peek(own.host, text) ?? links.peek(domain, text)
  return found?.group.propertyId === own.propertyId ? found : undefined
}

/** Whether a visitor who is sent there would come back to the link, or go from one short link to the next. */
export function leadsRound(deps: LoopDeps, linkId: string, location: string): boolean {
  let url = location
  for (let count = 0; count < MOST_LINKS; count++) {
    const next = linkAt(deps, url)
    if (!next) return false
    if (next.linkId === linkId) return true
    if (next.rules) return false
    url = next.location
  }
  return true
}
