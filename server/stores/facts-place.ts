// Where facts are, in one line: told apart are stores, and not the ways to name one.
import { parseNode } from './facts/nodes.ts'

/**
 * The nodes in whatever order, without user and password, or the folder of the embedded store.
 * @param at of settings.
 */
export function placeOfFacts(at: { readonly clickhouseUrls: readonly string[]; readonly dataDir: string }): string {
  if (at.clickhouseUrls.length === 0) return at.dataDir
  const nodes = at.clickhouseUrls.map(parseNode).map(({ url, database }) => `${url}/${database}`)
  return nodes.toSorted().join(',')
}
