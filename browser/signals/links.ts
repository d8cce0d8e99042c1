// Clicks on links that lead to another site or to a file.

/** What a browser saves instead of showing, and documents. */
const FILES = 'pdf|zip|rar|dmg|exe|csv|docx?|xlsx?|pptx?|epub|mp[34]'

/**
 * Tells of a click that opens a link: what it is, and the link's address without its query, which may say more of the visitor than of the link.
 * @param files endings of file names, separated by |, '' for the usual ones; like `outbound`, undefined when it is not asked for
 */
export function readClick(
  click: MouseEvent,
  outbound: unknown,
  files: string | undefined,
  tell: (name: string, address: string) => unknown,
): void {
  const [target] = click.composedPath() // also within a shadow root
  const link = (target as Element).closest('a')
  // The left or the middle button; what has no host is no address of the web.
  if (!link || !link.host || click.button > 1) return
  const address = link.origin + link.pathname
  if (files !== undefined && RegExp(`\\.(${files || FILES})$`, 'i').test(address)) tell('download', address)
  else if (outbound !== undefined && link.host !== location.host) tell('outbound', address)
}
