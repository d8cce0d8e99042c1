// The line that an owner puts on a site.
import { apiPath } from './place.ts'

/** Where the service answers from outside, as this browser sees it. */
export const serviceUrl = (): string => `${location.origin}${apiPath}`

/** Keys and addresses are of letters that need no escape in HTML. */
export const trackingSnippet = (key: string): string =>
  `<script defer src="${serviceUrl()}/signals.js" data-key="${key}"></script>`
