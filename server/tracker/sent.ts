// What a page view says of itself, in headers or in a body: the same texts for the steps behind it.
import type { IncomingHttpHeaders } from 'node:http'
import { cleanText } from '../kernel/text.ts'
import { headerText, isEncodedBy, pageIn, readPage, readTitle, titleIn } from './page.ts'

/** Of the properties of one page view. */
export const MAX_PROPS = 20
const MAX_PROP_KEY = 60
const MAX_PROP_VALUE = 200
const MAX_REFERRER = 2048

export interface SentView {
  /** What a view cannot do without and does not have, by the name that its sender uses. */
  readonly missing: readonly string[]
  readonly key: string
  /** Version of the browser library: `1.1.0`; '' when it named none. */
  readonly library: string
  /** Undefined for what is no page on the web. */
  readonly page: () => URL | undefined
  readonly title: () => string
  readonly referrer: () => string
  readonly status: string
  readonly viewport: string
  /** JSON object of texts; '' without any. */
  readonly props: () => string
}

/** `1.1.0` of `signals/1.1.0`; '' for a text without a version. */
const versionIn = (library: string): string => /\d{1,6}(?:\.\d{1,6}){0,2}/.exec(library)?.[0] ?? ''

const required = ['x-svc-id', 'x-svc-page', 'x-svc-lib'] as const

/** Page and title are URI-encoded from library 1.1.0 on. */
export function sentInHeaders(headers: IncomingHttpHeaders): SentView {
  const text = (name: string): string => {
    const value = headers[name]
    return typeof value === 'string' ? value : ''
  }
  const library = text('x-svc-lib')
  const isEncoded = isEncodedBy(library)
  return {
    missing: required.filter((name) => text(name) === '').map((name) => name.toUpperCase()),
    key: text('x-svc-id'),
    library: versionIn(library),
    page: () => readPage(text('x-svc-page'), isEncoded),
    title: () => readTitle(text('x-svc-title'), isEncoded),
    referrer: () => headerText(text('x-svc-src'), true),
    status: text('x-svc-status'),
    viewport: text('x-svc-dim'),
    props: () => '',
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Scalars as texts. Null and '' are no property, and what is nested, or beyond the limits, is left out. */
function propsIn(given: unknown): string {
  if (!isObject(given)) return ''
  const known = Object.entries(given)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .slice(0, MAX_PROPS)
    .map(([key, value]) => [cleanText(key, MAX_PROP_KEY), cleanText(String(value), MAX_PROP_VALUE)])
  return known.length === 0 ? '' : JSON.stringify(Object.fromEntries(known))
}

/**
 * The way of the browser library: a body without headers of its own needs no preflight. Nothing is encoded.
 * What has another type than it should counts as left out.
 * @param keyInHeader for callers that name the property as in every other call.
 */
export function sentInBody(body: unknown, keyInHeader: string): SentView {
  const fields = isObject(body) ? body : {}
  const text = (name: string): string => {
    const value = fields[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const key = text('site_id') || keyInHeader
  return {
    missing: [...(key === '' ? ['site_id'] : []), ...['page', 'lib'].filter((name) => text(name) === '')],
    key,
    library: versionIn(text('lib')),
    page: () => pageIn(text('page')),
    title: () => titleIn(text('title')),
    referrer: () => text('src').slice(0, MAX_REFERRER),
    status: text('status'),
    viewport: text('dim'),
    props: () => propsIn(fields['props']),
  }
}
