// The three pages of a short domain: not found, preview of a destination, and unavailable. They are small,
// self-contained and without scripts; texts of owners are escaped.
import { hash } from 'node:crypto'

const style =
  ':root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif}' +
  'body{max-width:40rem;margin:15vh auto 0;padding:0 1.5rem}h1{font-size:1.5rem}p{overflow-wrap:anywhere}'

/** The policy of every page: only the one style element, by its hash. */
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
} as const

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter]!)
}

/** @param content HTML. */
function page(title: string, content: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>\n`
  )
}

/**
 * The same page for a link that never existed, was deleted or is switched off: visitors do not learn which.
 */
export const missingPage = page(
  'This link leads nowhere',
  '<p>It may have been mistyped, or it is no longer in use.</p>',
)

export const unavailablePage = page(
  'Not now',
  '<p>This link cannot be looked up at the moment. Please try again in a few seconds.</p>',
)

/** @param location as the redirect would send it. */
export function destinationPage(location: string): string {
  const url = escaped(location)
  return page('Where this link leads', `<p><a href="${url}" rel="nofollow noreferrer">${url}</a></p>`)
}
