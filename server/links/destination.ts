// Where a short link may lead: to http and https, without credentials, and not back into the short domains, where it could go round for ever.
import { plainAddress } from '../kernel/addresses.ts'
import { invalid } from '../kernel/problem.ts'
import { MAX_DESTINATION } from './link.ts'

const FIELD = 'destination_url'

const refused = (sentence: string) => invalid(FIELD, `${FIELD} ${sentence}`)

/** Parsers of URLs are lenient about slashes and backslashes, each in its own way: what all of them read alike is let through. */
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

/** Names of one host in one spelling: lower case and punycode by the parser, no final dot, addresses as short as they go. */
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

function isUnder(destination: URL, own: URL): boolean {
  if (hostOf(destination) !== hostOf(own)) return false // the port is not looked at: one server often answers at several
  const [path, prefix] = [plainPath(destination), plainPath(own)]
  return path === prefix || path.startsWith(`${prefix}/`)
}

/**
 * @param ownUrls where the codes of the short domains live (linkUrl of config.ts).
 * @returns the text itself, without blanks around it.
 * @throws Problem('validation_failed') about destination_url.
 */
export function readDestination(written: string, ownUrls: readonly string[]): string {
  const text = written.trim()
  if ([...text].length > MAX_DESTINATION) throw refused(`may have at most ${MAX_DESTINATION} characters.`)
  const url = parse(text)
  if (authority.exec(text)?.[1]?.includes('@') ?? false) throw refused('may not contain a user name or password.')
  if (ownUrls.some((own) => isUnder(url, new URL(own)))) throw refused('may not lead to a short link.')
  return text
}
