// Rewrites URLs that the router cannot decode: a key or token with invalid percent signs.

/** A key or token, and the rest of the path. These endpoints have their own answer for an unknown key. */
const named =
  /^\/v2\/(?:form\/([^/?#]*)(?=\/(?:init|validate|process)(?:[?#]|$))|content\/([^/?#]*)(?=\/render(?:[?#]|$)))/

/**
 * The URL with the percent signs escaped: such a key is passed on as it is, and is unknown like any other.
 */
export function readableUrl(url: string): string {
  if (!url.includes('%')) return url
  const [, form, content] = named.exec(url) ?? []
  try {
    decodeURIComponent(form ?? content ?? '')
    return url
  } catch {
    return url.replace(named, (path) => path.replaceAll('%', '%25'))
  }
}
