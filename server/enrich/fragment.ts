// The fragment of a page's URL: the route of a single-page app, which belongs to the URL, or a position on
// the page, which does not.

/**
 * '' for a fragment that is no route: a position on the page, or a secret, since some sign-ins put their
 * tokens there.
 */
export function routeOf({ hash }: URL): string {
  return hash.startsWith('#/') || hash.startsWith('#!/') ? hash : ''
}

/**
 * The query that a link's tags and click ids are read from: the URL's own, else that of its route. '' without
 * either.
 */
export function landingQuery(page: URL): string {
  if (page.search !== '' || page.hash === '') return page.search
  const route = routeOf(page)
  const at = route.indexOf('?')
  return at === -1 ? '' : route.slice(at)
}
