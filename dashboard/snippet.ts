// Where the browser libraries and what they call are, as a site names them.
import { apiPath, otherPaths } from './place.ts'

/** Where the service answers from outside, as this browser sees it. */
export const serviceUrl = (): string => `${location.origin}${apiPath}`

/**
 * @param path of a browser library, or of what it calls: `/signals.js`, `/v2/form`
 * @returns the path that the owner has given it
 */
export const namedPath = (path: string): string => otherPaths.get(path) ?? path
export const scriptUrl = (path: string): string => serviceUrl() + namedPath(path)
