// Host names as owners type them, in the one spelling that is stored and compared: lower case, punycode, nothing but the host.
import { domainToASCII } from 'node:url'
import { isIP } from 'node:net'

/** RFC 1035: 253 characters, labels of 1 to 63. */
const MAX_HOST = 253
/** Underscores occur in real host names (not in registered domains), so they are let through. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

const withoutBrackets = (text: string) => (text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text)

/** `2001:DB8::0:1` → `2001:db8::1`, the spelling that URL uses. */
const plainIPv6 = (text: string) => new URL(`http://[${text}]/`).hostname.slice(1, -1)

/** Everything of ASCII that a host may have, and anything else: IDNA decides about that. */
const hostCharacters = /^(?:[a-z0-9_.-]|[^\0-\x7f])+$/

/** Non-ASCII names alone go through IDNA, which drops line breaks and cuts at slashes in silence. */
function toASCII(name: string): string {
  if (!hostCharacters.test(name)) return ''
  return /^[\x20-\x7e]+$/.test(name) ? name : domainToASCII(name)
}

function plainName(text: string): string | undefined {
  const name = toASCII(text.toLowerCase().replace(/\.$/, ''))
  const labels = name.split('.')
  const valid = name.length > 0 && name.length <= MAX_HOST && labels.every((part) => label.test(part))
  // A last label of digits makes it an address to every browser: valid ones are known to isIP.
  return valid && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? name : undefined
}

/** Undefined when the text is no host: with a scheme, port, path, wildcard or space it is none. Addresses and `localhost` are hosts. */
export function readHost(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_HOST * 4) return undefined
  const bare = withoutBrackets(trimmed)
  const version = isIP(bare)
  if (version === 6 && !bare.includes('%')) return plainIPv6(bare)
  if (version === 4) return bare
  return bare === trimmed ? plainName(bare) : undefined
}
