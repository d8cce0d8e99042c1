// Whose address a request counts for: the client's, or the visitor's whom a forwarding proxy speaks for with X-PROXY-*.
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { openAddressRanges, plainAddress } from '../kernel/addresses.ts'

/** What a proxy wrote instead of an address (`unknown`) is none: the client is then the proxy. */
export function clientAddress(request: FastifyRequest): string {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? ''
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The visitor's address as a forwarding proxy gives it; whether that counts is another question. */
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

/** Hashes are compared whole: the time of the answer says nothing about the key. */
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

/** What reverse proxies add to a request that they pass on; each has its own habit. */
const passingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/** Whether a reverse proxy says that the request is somebody else's. */
export const isPassedOn = (headers: IncomingHttpHeaders): boolean =>
  passingHeaders.some((name) => headers[name] !== undefined)

/** Whether a peer may speak for others by being who it is, without a key. */
type IsSpeaker = (peer: string | undefined, headers: IncomingHttpHeaders) => boolean

/** A peer that TRUST_PROXY names, or, while it names nobody, this machine itself: a program of the owner's runs on it. */
function openSpeakers(trustProxy: readonly string[]): IsSpeaker {
  const isNamed = openAddressRanges(trustProxy)
  if (trustProxy.length > 0) return (peer, headers) => headers['x-forwarded-for'] === undefined && isNamed(peer)
  const isLoopback = openAddressRanges(['loopback'])
  // Nobody said that no reverse proxy runs there too, so any sign of one is enough to refuse.
  return (peer, headers) => !isPassedOn(headers) && isLoopback(peer)
}

/**
 * X-PROXY-* counts with the property's proxy key, and from a peer of TRUST_PROXY that names nobody in X-Forwarded-For: one that does is an
 * ordinary reverse proxy, which passes on whatever a browser wrote. While TRUST_PROXY is not set, the peers are those on this machine.
 * From anybody else it is as if it were not there.
 */
export function openForwarding(trustProxy: readonly string[]): IsForwarded {
  const isSpeaker = openSpeakers(trustProxy)
  return ({ headers, socket }, property) =>
    speaksForVisitor(headers) &&
    (isProxyKey(headerOf(headers, 'x-proxy-key'), property?.proxy_key_hash) || isSpeaker(socket.remoteAddress, headers))
}
