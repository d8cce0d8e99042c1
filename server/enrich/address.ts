// Client addresses as 32-bit words. An IPv4 address inside IPv6 becomes the IPv4 one; addresses that are not
// publicly routed are treated as none.
import { isIPv4, isIPv6 } from 'node:net'

/** One word for IPv4, four for IPv6, the first bit of the address being the highest of the first word. */
export type AddressWords = readonly number[]

/** Longest text form of an address ("0000:…:255.255.255.255"); longer texts are not parsed. */
const MAX_ADDRESS_LENGTH = 45

/**
 * Undefined for a text that is no address, and for private, loopback, link-local, documentation and multicast
 * ones: they have no location.
 */
export function findPublicAddress(text: string): AddressWords | undefined {
  const address = parseAddress(text)
  return address && (address.length === 1 ? isPublicV4(address[0]!) : isPublicV6(address)) ? address : undefined
}

/** Undefined when the text is no address. A zone (`%eth0`) is ignored. */
export function parseAddress(text: string): AddressWords | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined
  if (isIPv4(text)) return [wordOfV4(text)]
  const zone = text.indexOf('%')
  const bare = zone === -1 ? text : text.slice(0, zone)
  return isIPv6(bare) ? unwrapV4(wordsOfV6(bare)) : undefined
}

/** Negative, 0 or positive, like a sort function; both must be of one family. */
export function compareAddresses(a: AddressWords, b: AddressWords): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!
  }
  return 0
}

export function bitAt(address: AddressWords, index: number): number {
  return (address[index >>> 5]! >>> (31 - (index & 31))) & 1
}

function wordOfV4(text: string): number {
  let word = 0
  for (const part of text.split('.')) word = word * 256 + Number(part)
  return word
}

function wordsOfV6(text: string): AddressWords {
  const [head = '', tail] = text.split('::')
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
  return [0, 2, 4, 6].map((i) => groups[i]! * 65_536 + groups[i + 1]!)
}

function groupsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const word = wordOfV4(group)
    return [Math.floor(word / 65_536), word % 65_536]
  })
}

/**
 * ::ffff:a.b.c.d (RFC 4291) is how a dual-stack socket shows IPv4; 64:ff9b::a.b.c.d (RFC 6052) is IPv4 seen
 * through NAT64.
 */
function unwrapV4(words: AddressWords): AddressWords {
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff
  const isTranslated = words[0] === 0x0064_ff9b && words[1] === 0 && words[2] === 0
  return isMapped || isTranslated ? [words[3]!] : words
}

/** IANA special-purpose registry (RFC 6890 and later): first address and prefix length. */
const reservedV4: readonly (readonly [number, number])[] = (
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const
).map(([first, bits]) => [wordOfV4(first), bits])

function isPublicV4(word: number): boolean {
  return !reservedV4.some(([first, bits]) => word >>> (32 - bits) === first >>> (32 - bits))
}

/** Only 2000::/3 is assigned for public use; 2001:db8::/32 of it is for documentation. */
function isPublicV6(words: AddressWords): boolean {
  return words[0]! >>> 29 === 1 && words[0] !== 0x2001_0db8
}
