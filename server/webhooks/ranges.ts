// Which addresses belong to the public internet. Text in, yes or no out: what cannot be read as an address is
// not public, and an IPv4 address inside an IPv6 one is found in every form that carries one.
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * All of the IANA special-purpose registry, also the few rows that are reachable: none of them is a place for
 * an endpoint.
 */
const specialIpv4 = [
  '0.0.0.0/8', // this network; 0.0.0.0 connects to the machine itself
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT, and clouds' inner services
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // class E and broadcast
]

/** Nothing of IPv6 is public but global unicast; the prefixes below are what is special within it. */
const globalIpv6 = '2000::/3'
const specialIpv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, AMT, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
]

/**
 * RFC 6052: what an IPv6-only network's resolver makes of public IPv4 addresses, so it is judged by the
 * address inside.
 */
const nat64 = '64:ff9b::/96'

/**
 * Never called whatever WEBHOOK_ALLOW says: link-local, and the metadata services of clouds that live
 * elsewhere.
 */
const never = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '192.0.0.192/32',
]

/**
 * Whether an address is in the ranges. IPv4 ranges hold IPv4 addresses alone: a BlockList by itself lets them
 * cover mapped ones.
 */
export function openRanges(ranges: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    if (!isIPv4(address) && !isIPv6(address)) throw new Error(`${range} is no range of addresses`)
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) lists[family].addAddress(address, family)
    else lists[family].addSubnet(address, Number(bits), family)
  }
  return (address) => (isIPv4(address) ? lists.ipv4.check(address, 'ipv4') : lists.ipv6.check(address, 'ipv6'))
}

const isSpecialIpv4 = openRanges(specialIpv4)
const isGlobalIpv6 = openRanges([globalIpv6])
const isSpecialIpv6 = openRanges(specialIpv6)
const isNat64 = openRanges([nat64])
const isNever = openRanges(never)

/** The eight groups of an IPv6 address. SocketAddress writes every spelling in one way. */
function groupsOf(address: string): number[] {
  const { address: short } = new SocketAddress({ address, family: 'ipv6' })
  const dotted = /[\d.]+$/.exec(short)?.[0] ?? ''
  const text = dotted.includes('.') ? short.slice(0, -dotted.length) + hexGroups(dotted) : short
  const [head = '', tail] = text.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

function hexGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const ipv4Of = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`

/**
 * RFC 5214: an interface identifier of 0000:5efe or 0200:5efe ends in an IPv4 address, under whatever prefix.
 */
const isIsatap = (groups: readonly number[]): boolean => (groups[4]! & ~0x0200) === 0 && groups[5] === 0x5efe

/** RFC 8215: within it each network chooses how long its NAT64 prefix is. */
const isLocalNat64 = ([first, second, third]: readonly number[]): boolean =>
  first === 0x0064 && second === 0xff9b && third === 0x0001

/**
 * RFC 6052, 2.2: the IPv4 address after a NAT64 prefix of 48, 56 or 64 bits; byte 8 stands between its parts
 * and counts for nothing.
 */
function insideNat64(groups: readonly number[]): string[] {
  const bytes = groups.slice(3).flatMap((group) => [group >> 8, group & 255])
  const counted = bytes.filter((_byte, at) => at !== 2)
  return [0, 1, 2].map((at) => counted.slice(at, at + 4).join('.'))
}

/**
 * Every IPv4 address that a form of IPv6 address may carry: mapped, compatible, SIIT, NAT64 (the last 32
 * bits; in the local prefix anywhere), 6to4 (after the prefix), Teredo (the server, and the client with its
 * bits turned).
 */
function carriedBy(groups: readonly number[]): string[] {
  const at = (index: number): string => ipv4Of(groups[index]!, groups[index + 1]!)
  const carried = [at(6)]
  if (isLocalNat64(groups)) carried.push(...insideNat64(groups))
  if (groups[0] === 0x2002) carried.push(at(1))
  if (groups[0] === 0x2001 && groups[1] === 0) carried.push(at(2), ipv4Of(groups[6]! ^ 0xffff, groups[7]! ^ 0xffff))
  return carried
}

const carriesIpv4 = (groups: readonly number[]): boolean =>
  isIsatap(groups) || groups[0]! < 0x0100 || groups[0] === 0x2002 || (groups[0] === 0x2001 && groups[1] === 0)

/** The IPv4 address inside a NAT64 one; otherwise the address as it is. */
export function throughNat64(address: string): string {
  if (!isIPv6(address) || address.includes('%') || !isNat64(address)) return address
  const groups = groupsOf(address)
  return ipv4Of(groups[6]!, groups[7]!)
}

/**
 * Link-local and metadata addresses, in each form that could stand for one; and whatever is no plain address
 * (a zone makes one link-local).
 */
export function isForbidden(address: string): boolean {
  if (isIPv4(address)) return isNever(address)
  if (!isIPv6(address) || address.includes('%')) return true
  const groups = groupsOf(address)
  return isNever(address) || (carriesIpv4(groups) && carriedBy(groups).some((inside) => isNever(inside)))
}

/** Whether the whole internet could call the address. */
export function isPublic(address: string): boolean {
  const plain = throughNat64(address)
  if (isForbidden(plain)) return false
  if (isIPv4(plain)) return !isSpecialIpv4(plain)
  return isGlobalIpv6(plain) && !isSpecialIpv6(plain) && !isIsatap(groupsOf(plain))
}
