// Links as they are listed and looked up, with their clicks, which are in the facts.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { wordsOf } from '../kernel/words.ts'
import { countClicks } from '../clicks/facts.ts'
import { hostUrl, noHosts, type OwnHosts } from './domain-model.ts'
import { ownHostsOf } from './domain-records.ts'
import { isGroupId } from './groups.ts'
import { groupsOf, type Link } from './link-model.ts'
import { listRankedLinks, type RankedQuery } from './ranked-list.ts'
import { findLink, listLinkRows } from './records.ts'
import type { LinkScope } from './list-records.ts'
import { isLinkId, linkNotFound, ownUrls, show, type ShownLink } from './draft.ts'

type ReadDeps = Pick<Deps, 'config' | 'records' | 'facts'>

async function showLinks(
  { config, facts }: ReadDeps,
  propertyId: string,
  links: readonly Link[],
): Promise<ShownLink[]> {
  const ids = links.map(({ id }) => id)
  const groups = links.flatMap(groupsOf)
  const clicks = ids.length > 0 ? await countClicks(facts, propertyId, { by: 'link', ids, groups }) : undefined
  return links.map((link) => show(config, link, clicks?.get(link.id) ?? 0))
}

/** Of an address of a short domain, its code. */
function withoutOwnUrl(urls: readonly string[], word: string): string {
  const own = urls.flatMap((url) => [`${url}/`, `${url.replace(/^https?:\/\//, '')}/`])
  const found = own.find((url) => word.toLowerCase().startsWith(url.toLowerCase()))
  return found === undefined ? word : word.slice(found.length)
}

/** What is searched for, each once. PostgreSQL takes no NUL, not even to look for it. */
export function searchWords(config: Config, text: string, hosts: OwnHosts = noHosts): string[] {
  const urls = [...ownUrls(config), ...[...hosts.values()].map(hostUrl)]
  const words = text.replaceAll('\0', '').split(/\s+/)
  return wordsOf(words.map((word) => withoutOwnUrl(urls, word)).join(' '))
}

/** Those of a list of links. */
export async function searchedWords(
  { config, records }: Pick<ReadDeps, 'config' | 'records'>,
  propertyId: string,
  text: string,
): Promise<string[]> {
  return text === '' ? [] : searchWords(config, text, await ownHostsOf(records, propertyId))
}

/**
 * Newest first, or by what came of them. Of a group that is not there, none.
 * @param ranking left out: newest first.
 */
export async function listLinks(
  deps: ReadDeps,
  scope: LinkScope,
  query: PageQuery,
  ranking?: RankedQuery,
): Promise<Listed<ShownLink>> {
  const { propertyId, groupId } = scope
  if (groupId !== null && !isGroupId(groupId)) return { rows: [], total: 0 }
  const { rows, total } = await (ranking
    ? listRankedLinks(deps, scope, query, ranking)
    : listLinkRows(deps.records, scope, query))
  return { rows: await showLinks(deps, propertyId, rows), total }
}

/** What of a link is known without its clicks, which are in the facts. @throws Problem('not_found') */
export async function getShortUrl(
  { config, records }: Pick<ReadDeps, 'config' | 'records'>,
  propertyId: string,
  id: string,
): Promise<{ readonly code: string; readonly short_url: string }> {
  const link = isLinkId(id) ? await findLink(records, propertyId, id) : undefined
  if (!link) throw linkNotFound()
  return show(config, link, 0)
}

/** @throws Problem('not_found') also for a deleted one and one of another property. */
export async function getLink(deps: ReadDeps, propertyId: string, id: string): Promise<ShownLink> {
  const link = isLinkId(id) ? await findLink(deps.records, propertyId, id) : undefined
  const [shown] = link ? await showLinks(deps, propertyId, [link]) : []
  if (!shown) throw linkNotFound()
  return shown
}
