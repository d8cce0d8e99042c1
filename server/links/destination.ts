// Where a short link may lead: to http and https, without credentials, and not back into the short domains,
// where it could go round for ever.
import { openAddressRanges, plainAddress } from '../kernel/addresses.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { CODE_ALPHABET, CODE_LENGTH } from './codes.ts'
import { MAX_DESTINATION, type Utm } from './link-model.ts'
import { withUtm } from './utm.ts'

const FIELD = 'destination_url'

/**
 * The Location header in bytes: clients and proxies commonly take 8 KB of it, or of all headers. A character
 * may be written as twelve.
 */
const MAX_LOCATION = 8000

const refused = (sentence: string) => invalid(FIELD, `${FIELD} ${sentence}`)

/**
 * Parsers of URLs are lenient about slashes and backslashes, each in its own way: what all of them read alike
 * is let through.
 */
const beginning = /^https?:\/\/[^/\\?#]/i
const authority = /^https?:\/\/([^/?#]*)/i
const backslash = /^[^?#]*\\/
/** A parser takes line breaks out in silence and turns blanks into %20; a header cannot carry the former. */
const unseen = /[\s\p{Cc}\p{Zs}\u200b\ufeff]/u

function parse(text: string): URL {
  if (!/^https?:/i.test(text)) throw refused('must begin with http:// or https://.')
  if (unseen.test(text) || !text.isWellFormed()) throw refused('may not contain blanks or control characters.')
  if (!beginning.test(text) || backslash.test(text) || !URL.canParse(text)) throw refused('is not a valid URL.')
  return new URL(text)
}

/**
 * Names of one host in one spelling: lower case and punycode by the parser, no final dot, addresses as short
 * as they go.
 */
function hostOf({ hostname }: URL): string {
  return plainAddress(hostname) ?? hostname.replace(/\.+$/, '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Without encoding and repeated slashes: a server may read them either way. */
const plainPath = ({ pathname }: URL): string => decoded(pathname).replace(/\/+/g, '/').replace(/\/$/, '')

const codeAtRoot = new RegExp(`^/[${CODE_ALPHABET}]{${CODE_LENGTH}}\\+?$`)

const isLoopbackAddress = openAddressRanges(['loopback'])

const isLoopback = (host: string): boolean => /(?:^|\.)localhost$/.test(host) || isLoopbackAddress(host)

function isUnder(destination: URL, own: URL): boolean {
  const host = hostOf(destination)
  const [path, prefix] = [plainPath(destination), plainPath(own)]
  const isInside = path === prefix || path.startsWith(`${prefix}/`)
  if (host === hostOf(own)) return isInside // the port is not looked at: one server often answers at several
  // This server under another name; at the root it has other pages too, and so have other servers on the
  // machine.
  return isLoopback(host) && isInside && (prefix !== '' || codeAtRoot.test(path))
}

/** Where no link may lead: into the short domains, and into hosts of properties' own. */
export interface ShortUrls {
  /** Where the codes of the short domains live (linkUrl of config.ts). */
  readonly urls: readonly string[]
  readonly hosts?: Pick<ReadonlySet<string>, 'has'>
}

export const isShortUrl = (url: URL, { urls, hosts }: ShortUrls): boolean =>
  (hosts?.has(hostOf(url)) ?? false) || urls.some((own) => isUnder(url, new URL(own)))

/**
 * @returns the text itself, without blanks around it.
 * @throws Problem('validation_failed') about destination_url.
 */
export function readDestination(written: string, short: ShortUrls): string {
  const text = written.trim()
  if ([...text].length > MAX_DESTINATION) throw refused(`may have at most ${MAX_DESTINATION} characters.`)
  const url = parse(text)
  if (authority.exec(text)?.[1]?.includes('@') ?? false) throw refused('may not contain a user name or password.')
  if (isShortUrl(url, short)) throw refused('may not lead to a short link.')
  return text
}

/**
 * @throws Problem('validation_failed') about destination_url, when the two are more than a visitor's browser
 *   can be told.
 */
export function checkLocation(destination: string, utm: Utm): void {
  if (withUtm(destination, utm).length > MAX_LOCATION)
    throw refused(
      `may have at most ${MAX_LOCATION} characters when it is percent-encoded and the UTM values are added.`,
    )
}

/**
 * Both in one, for a URL that is not the destination of a link: errors are about its own field.
 * @throws Problem('validation_failed')
 */
export function destinationAt(path: string, written: string, short: ShortUrls, utm: Utm = {}): string {
  try {
    const destination = readDestination(written, short)
    checkLocation(destination, utm)
    return destination
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error
    throw invalid(path, error.message.replace(/^destination_url/, path))
  }
}
