// Normalises host names as owners type them: lower case, punycode, nothing but the host.
import { domainToASCII } from 'node:url'
import { isIP } from 'node:net'

/** RFC 1035: 253 characters, labels of 1 to 63. */
const MAX_HOST = 253
/** Underscores occur in real host names (not in registered domains), so they are allowed. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

const withoutBrackets = (text: string) => (text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text)

/** `2001:DB8::0:1` → `2001:db8::1`, the spelling that URL uses. */
const plainIPv6 = (text: string) => new URL(`http://[${text}]/`).hostname.slice(1, -1)

/** The ASCII characters of host names, and all others, which IDNA judges. */
const hostCharacters = /^(?:[a-z0-9_.-]|[^\0-\x7f])+$/

/** Only non-ASCII names go through IDNA, which silently drops line breaks and cuts at slashes. */
function toASCII(name: string): string {
  if (!hostCharacters.test(name)) return ''
  return /^[\x20-\x7e]+$/.test(name) ? name : domainToASCII(name)
}

function plainName(text: string): string | undefined {
  const name = toASCII(text.toLowerCase().replace(/\.$/, ''))
  const labels = name.split('.')
  const valid = name.length > 0 && name.length <= MAX_HOST && labels.every((part) => label.test(part))
  // Browsers read a host whose last label is a number as an address; isIP has accepted the valid ones before.
  return valid && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? name : undefined
}

/**
 * Undefined for a text that is no host, such as one with a scheme, port, path, wildcard or blank. Addresses
 * and `localhost` are hosts.
 */
export function readHost(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_HOST * 4) return undefined
  const bare = withoutBrackets(trimmed)
  const version = isIP(bare)
  if (version === 6 && !bare.includes('%')) return plainIPv6(bare)
  if (version === 4) return bare
  return bare === trimmed ? plainName(bare) : undefined
}
