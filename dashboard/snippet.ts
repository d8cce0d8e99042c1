// The line that an owner puts on a site.
import { apiPath, otherPaths } from './place.ts'

/** Where the service answers from outside, as this browser sees it. */
export const serviceUrl = (): string => `${location.origin}${apiPath}`

/**
 * @param path of a browser library, or of what it calls: `/signals.js`, `/v2/form`
 * @returns the path that the owner has given it
 */
export const namedPath = (path: string): string => otherPaths.get(path) ?? path
export const scriptUrl = (path: string): string => serviceUrl() + namedPath(path)

/** Keys and addresses are of letters that need no escape in HTML. */
export const trackingSnippet = (key: string): string =>
  `<script defer src="${scriptUrl('/signals.js')}" data-key="${key}"></script>`
