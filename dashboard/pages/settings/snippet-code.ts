// The code that an owner copies. Keys and addresses need no escaping, in HTML or in a string.
import { scriptUrl, serviceUrl } from '../../snippet.ts'

export interface SnippetOptions {
  readonly outbound: boolean
  readonly downloads: boolean
  readonly hash: boolean
  /** How fast pages are. */
  readonly vitals: boolean
}

export function scriptSnippet(key: string, { outbound, downloads, hash, vitals }: SnippetOptions): string {
  const attributes = [
    outbound && 'data-outbound',
    downloads && 'data-downloads',
    hash && 'data-hash',
    vitals && 'data-vitals',
  ]
  const more = attributes.filter(Boolean).map((name) => ` ${name}`)
  return `<script defer src="${scriptUrl('/signals.js')}" data-key="${key}"${more.join('')}></script>`
}

export function npmSnippet(key: string, { outbound, downloads, hash, vitals }: SnippetOptions): string {
  const options = [
    `key: '${key}'`,
    `base: '${serviceUrl()}'`,
    outbound && 'outbound: true',
    downloads && "downloads: ''",
    hash && 'hash: true',
  ]
  const start = `signals.start({ ${options.filter(Boolean).join(', ')} })`
  if (!vitals) return `import { signals } from '@footfall/browser/signals'\n\n${start}`
  return `import { signals, watchVitals } from '@footfall/browser'

${start}
watchVitals(signals, { key: '${key}', base: '${serviceUrl()}' })`
}

/** docs/decisions/0009: with the proxy key, X-PROXY-* speak for the visitor. */
export const serverSnippet = (
  key: string,
): string => `// Once for each page that is looked at. \`visitor\` is whoever asked your server for it.
const reply = await fetch('${serviceUrl()}/v2/signal/load', {
  headers: {
    'X-SVC-ID': '${key}',
    'X-SVC-LIB': '1.1.0',
    'X-SVC-PAGE': encodeURIComponent(page.url),
    'X-SVC-TITLE': encodeURIComponent(page.title),
    'X-SVC-SRC': encodeURIComponent(visitor.referrer),
    'X-PROXY-KEY': process.env.FOOTFALL_PROXY_KEY,
    'X-PROXY-IP': visitor.address,
    'X-PROXY-USER-AGENT': visitor.userAgent,
    'X-PROXY-LANG': visitor.acceptLanguage,
  },
})
const { session_id, view_id } = await reply.json()`
