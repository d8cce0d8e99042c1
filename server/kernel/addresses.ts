// Client addresses as text in a normal form, so that one client is one visitor and one counter; and ranges of
// addresses.
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

/** An address in brackets as in URLs, or an IPv4 one with a port; some proxies write them so. */
const dressed = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/
/** Longest text form of an address with brackets, zone and port; longer texts are not parsed. */
const MAX_LENGTH = 100

/**
 * Without port, brackets and zone, IPv4 inside IPv6 as IPv4, IPv6 in lower case and its shortest form.
 * Undefined for a text that is no address.
 */
export function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const trimmed = text.length > MAX_LENGTH ? '' : text.trim()
  const [, bracketed, beforePort] = dressed.exec(trimmed) ?? []
  const bare = bracketed ?? beforePort ?? trimmed
  if (isIPv4(bare)) return bare
  const address = bare.split('%', 1)[0]!
  return isIPv6(address) ? shortest(address) : undefined
}

function shortest(address: string): string {
  const short = new SocketAddress({ address, family: 'ipv6' }).address
  return short.startsWith('::ffff:') && short.includes('.') ? short.slice('::ffff:'.length) : short
}

/** Named ranges of TRUST_PROXY (docs/settings.md). */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether an address is in the ranges (addresses, CIDRs, or the names above). */
export function openAddressRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const range of ranges.flatMap((name) => namedRanges[name] ?? [name])) {
    const [address = '', bits] = range.split('/')
    if (!isIPv4(address) && !isIPv6(address)) continue
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return (address) => {
    const plain = plainAddress(address ?? '')
    return plain !== undefined && list.check(plain, family(plain))
  }
}
