// Parses the headers of a page view. Whatever was sent, the result is a page or undefined; nothing throws.
import { withoutClickIds } from '../enrich/clicks.ts'
import { routeOf } from '../enrich/fragment.ts'
import { cleanText } from '../kernel/text.ts'

/** What browsers and proxies support. */
const MAX_URL = 2048
const MAX_TITLE = 512
const MAX_SIDE = 65_535
/** From this library version on, page and title are URI-encoded: docs/decisions/0008-tracker-and-money.md. */
const ENCODED_FROM = [1, 1, 0] as const

/**
 * True for a library version that URI-encodes its headers: 1.1.0 and later, in texts such as `1.1.0`,
 * `signals/1.2` or `v2`. A text without a version counts as current.
 */
export function isEncodedBy(library: string): boolean {
  const [, major, minor = '0', patch = '0'] = /(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?/.exec(library) ?? []
  if (major === undefined) return true
  const version = [Number(major), Number(minor), Number(patch)]
  const at = version.findIndex((part, i) => part !== ENCODED_FROM[i])
  return at === -1 || version[at]! > ENCODED_FROM[at]!
}

/** Returns the text unchanged when its encoding is broken: a title with a lone % is worth more than none. */
function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the browser is prefetching: nobody has seen the page yet, and perhaps nobody will. */
export function isFetchedAhead(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const purpose = headers['sec-purpose'] || headers.purpose || headers['x-purpose'] || headers['x-moz']
  return typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Node decodes headers as latin1; bytes that form UTF-8 are decoded as that, any others stay. */
function rawText(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

export function headerText(text: string, isEncoded: boolean): string {
  return isEncoded ? decoded(rawText(text)) : rawText(text)
}

function webUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : undefined
}

function withoutUser(url: URL | undefined): URL | undefined {
  if (url && (url.username !== '' || url.password !== '')) {
    url.username = ''
    url.password = ''
  }
  return url
}

/**
 * The page's URL: http or https, without user name and password. Also accepts a URL that was encoded by
 * mistake.
 */
export function readPage(header: string, isEncoded: boolean): URL | undefined {
  // No browser sends a longer page; parsing it would only cost time.
  if (header.length > MAX_URL * 4) return undefined
  return withoutUser(webUrl(headerText(header, isEncoded)) ?? webUrl(headerText(header, !isEncoded)))
}

/** The same of a text that is not encoded. */
export function pageIn(text: string): URL | undefined {
  return text.length > MAX_URL * 4 ? undefined : withoutUser(webUrl(text))
}

/** The path without query and fragment; the route of a single-page app belongs to it. */
export function pathOf(page: URL): string {
  return (page.pathname + routeOf(page).split('?', 1)[0]!).slice(0, MAX_URL)
}

/** The URL that is stored: without parameters that identify the visitor rather than the page. */
export function urlOf(page: URL): string {
  return (page.origin + page.pathname + withoutClickIds(page.search) + withoutClickIds(routeOf(page))).slice(0, MAX_URL)
}

export const titleIn = (text: string): string => cleanText(text, MAX_TITLE).trim()

export const readTitle = (header: string, isEncoded: boolean): string => titleIn(headerText(header, isEncoded))

/** 100 to 599; anything else becomes 200. */
export function readStatus(header: string | undefined): number {
  if (header === undefined || !/^[1-5]\d\d$/.test(header)) return 200
  return Number(header)
}

/** `WIDTHxHEIGHT`; undefined for anything else. */
export function readViewport(header: string | undefined): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d{1,9})x(\d{1,9})$/i.exec(header ?? '') ?? []
  if (width === undefined || height === undefined) return undefined
  return { width: Math.min(Number(width), MAX_SIDE), height: Math.min(Number(height), MAX_SIDE) }
}

/** In the spelling of a property's domains: without the brackets of IPv6 and the dot of the root. */
export function hostOf(page: URL): string {
  return page.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
