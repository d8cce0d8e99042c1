// The UTM values of a link added to its destination. What the destination has already is neither overwritten
// nor respelled: everything else stays byte for byte, but for what cannot stand in a Location header, which
// is written as a browser would write it.
import { utmNames, type Utm } from './link-model.ts'

/**
 * Scheme, authority, and the rest. With fewer slashes a browser reads a Location relative to the short
 * domain.
 */
const parts = /^(https?:\/\/)([^/\\?#]+)(.*)$/is

/** What no URL may hold unescaped; of what is left, ASCII, nothing is touched. */
// oxlint-disable-next-line no-control-regex -- control characters are what must not reach a header
const unprintable = /[^\u0021-\u007e]+/g

function escaped(text: string): string {
  return text.replace(unprintable, (piece) => encodeURIComponent(piece.toWellFormed()))
}

// oxlint-disable-next-line no-control-regex -- the same
const isPrintable = (text: string): boolean => !/[^\u0021-\u007e]/.test(text)

/** Outer spaces go, and line ends and tabs wherever they are (URL Standard, 4.4). */
function trimmed(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the same
  return text.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]+/g, '')
}

/** The host alone is spelled anew, the port stays as it was written. */
function asciiAuthority(authority: string, url: string): string {
  if (isPrintable(authority)) return authority
  const port = /:\d*$/.exec(authority)?.[0] ?? ''
  return (URL.parse(url)?.hostname ?? escaped(authority.slice(0, authority.length - port.length))) + port
}

/** As a header can carry it; the same text where it can already. */
function asLocation(destination: string): string {
  const url = isPrintable(destination) ? destination : trimmed(destination)
  const [, scheme, authority, rest] = parts.exec(url) ?? []
  if (scheme === undefined || authority === undefined) return escaped(URL.parse(url)?.href ?? url)
  return scheme + asciiAuthority(authority, url) + escaped(rest ?? '')
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/**
 * The names of a query as servers read them: between `&`, decoded; lower case, since the tracker reads
 * UTM_Source too.
 */
function namesOf(query: string): Set<string> {
  return new Set(query.split('&').map((pair) => decoded(pair.split('=', 1)[0]!).toLowerCase()))
}

function separatorOf(base: string, query: string | undefined): string {
  if (query === undefined) return '?'
  return query === '' || base.endsWith('&') ? '' : '&'
}

/**
 * Where a link leads: its destination with those of the values that its query does not have yet.
 * @param destination as readDestination let it through.
 * @returns ASCII without spaces and control characters, fit for a header. Adding the same again changes
 *   nothing.
 */
export function withUtm(destination: string, utm: Utm): string {
  const url = asLocation(destination)
  const hashAt = url.indexOf('#')
  const base = hashAt === -1 ? url : url.slice(0, hashAt)
  const queryAt = base.indexOf('?')
  const query = queryAt === -1 ? undefined : base.slice(queryAt + 1)
  const known = query === undefined ? undefined : namesOf(query)
  const added = utmNames
    .filter((name) => utm[name] !== undefined && utm[name] !== '' && !known?.has(name))
    .map((name) => `${name}=${encodeURIComponent(utm[name]!.toWellFormed())}`)
  if (added.length === 0) return url
  return base + separatorOf(base, query) + added.join('&') + url.slice(base.length)
}
