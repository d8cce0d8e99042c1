// The address that a request counts for: the client's, or the visitor's, whom a forwarding proxy names with
// X-PROXY-*.
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { openAddressRanges, plainAddress } from '../kernel/addresses.ts'

/** A proxy may write `unknown` instead of an address: the client is then the proxy. */
export function clientAddress(request: FastifyRequest): string {
  // Of a client that has gone there is none, whatever the type says.
  const address: string | undefined = request.ip
  return plainAddress(address ?? '') ?? plainAddress(request.socket.remoteAddress ?? '') ?? ''
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * The visitor's address as a forwarding proxy sends it; whether the proxy is trusted is checked elsewhere.
 */
export function proxiedAddress({ headers }: FastifyRequest): string | undefined {
  return plainAddress(headerOf(headers, 'x-proxy-ip') ?? '')
}

function speaksForVisitor(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-proxy-ip'] !== undefined ||
    headers['x-proxy-user-agent'] !== undefined ||
    headers['x-proxy-lang'] !== undefined
  )
}

/** Hashes are compared in constant time, so the time of the answer reveals nothing about the key. */
function isProxyKey(key: string | undefined, keyHash: string | null | undefined): boolean {
  if (key === undefined || !keyHash) return false
  const expected = Buffer.from(keyHash, 'hex')
  const given = hash('sha256', key, 'buffer')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Whether X-PROXY-* of a request counts; without a property, by its peer alone. */
export type IsForwarded = (
  request: FastifyRequest,
  property: { readonly proxy_key_hash: string | null } | undefined,
) => boolean

/** Headers that reverse proxies add; each product has its own. */
const passingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/** Whether a reverse proxy marked the request as forwarded. */
export const isPassedOn = (headers: IncomingHttpHeaders): boolean =>
  passingHeaders.some((name) => headers[name] !== undefined)

/** Whether a peer may forward for others without a key. */
type IsSpeaker = (peer: string | undefined, headers: IncomingHttpHeaders) => boolean

/** A peer in TRUST_PROXY, or, while it is empty, this machine itself: the owner runs its programs. */
function openSpeakers(trustProxy: readonly string[]): IsSpeaker {
  const isNamed = openAddressRanges(trustProxy)
  if (trustProxy.length > 0) return (peer, headers) => headers['x-forwarded-for'] === undefined && isNamed(peer)
  const isLoopback = openAddressRanges(['loopback'])
  // There may still be a local reverse proxy, so any sign of one is enough to refuse.
  return (peer, headers) => !isPassedOn(headers) && isLoopback(peer)
}

/**
 * X-PROXY-* counts with the property's proxy key, and from a peer in TRUST_PROXY that sends no
 * X-Forwarded-For: one that does is an ordinary reverse proxy, which passes on headers of browsers. While
 * TRUST_PROXY is empty, local peers are trusted. From anybody else the headers are ignored.
 */
export function openForwarding(trustProxy: readonly string[]): IsForwarded {
  const isSpeaker = openSpeakers(trustProxy)
  return ({ headers, socket }, property) =>
    speaksForVisitor(headers) &&
    (isProxyKey(headerOf(headers, 'x-proxy-key'), property?.proxy_key_hash) || isSpeaker(socket.remoteAddress, headers))
}
