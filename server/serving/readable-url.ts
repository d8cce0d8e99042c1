// Addresses that the router could not read: a key or a token whose percent signs stand for nothing.

/** A key or a token, and what is asked of it. Endpoints whose callers are told in the words of the endpoint that it is unknown. */
const named =
  /^\/v2\/(?:form\/([^/?#]*)(?=\/(?:init|validate|process)(?:[?#]|$))|content\/([^/?#]*)(?=\/render(?:[?#]|$)))/

/** The URL as the router can read it: such a key is taken as it is, and is then unknown like any other. */
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
