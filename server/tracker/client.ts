// The visitor as a request shows it: address, agent and language of the browser, or those that a trusted proxy passes on.
import { hash, timingSafeEqual } from 'node:crypto'
import { type IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type FastifyRequest } from 'fastify'
import { cleanText } from '../kernel/text.ts'
import { type Visitor } from './visitors.ts'

/** What Node's own parser lets through is longer; browsers stay far below. */
const MAX_AGENT = 1024
const MAX_LANGUAGE = 255

/** Named ranges of TRUST_PROXY (docs/settings.md). */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** An IPv4 address is itself, however a dual-stack socket spells it: the same visitor must have the same session on both. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Whether an address is in the ranges (addresses, CIDRs, or the names above). */
export function openAddressRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const range of ranges.flatMap((name) => namedRanges[name] ?? [name])) {
    const [address = '', bits] = range.split('/')
    if (isIP(address) === 0) continue
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return (address) => {
    const plain = plainAddress(address ?? '')
    return isIP(plain) !== 0 && list.check(plain, family(plain))
  }
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Hashes are compared whole: the time of the answer says nothing about the key. */
function isProxyKey(key: string | undefined, keyHash: string | null): boolean {
  if (key === undefined || keyHash === null) return false
  const expected = Buffer.from(keyHash, 'hex')
  const given = hash('sha256', key, 'buffer')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function proxyAddress(headers: IncomingHttpHeaders): string | undefined {
  const address = header(headers, 'x-proxy-ip')?.trim()
  return address !== undefined && isIP(address) !== 0 ? address : undefined
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-proxy-ip'] !== undefined ||
    headers['x-proxy-user-agent'] !== undefined ||
    headers['x-proxy-lang'] !== undefined
  )
}

export type ReadVisitor = (request: FastifyRequest, property: { readonly proxy_key_hash: string | null }) => Visitor

/** X-PROXY-* counts from the peers of TRUST_PROXY and with the property's proxy key; from anybody else it is as if it were not there. */
export function openVisitorReader(trustProxy: readonly string[]): ReadVisitor {
  const isTrusted = openAddressRanges(trustProxy)
  return (request, property) => {
    const { headers } = request
    const agent = headers['user-agent'] ?? ''
    const language = headers['accept-language'] ?? ''
    const isProxied =
      isForwarded(headers) &&
      (isTrusted(request.socket.remoteAddress) || isProxyKey(header(headers, 'x-proxy-key'), property.proxy_key_hash))
    return {
      address: plainAddress((isProxied ? proxyAddress(headers) : undefined) ?? request.ip),
      agent: cleanText((isProxied ? header(headers, 'x-proxy-user-agent') : undefined) ?? agent, MAX_AGENT),
      language: cleanText((isProxied ? header(headers, 'x-proxy-lang') : undefined) ?? language, MAX_LANGUAGE),
    }
  }
}
