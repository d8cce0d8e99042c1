// The cookie of a signed-in person: how it is read, set and removed, and which calls it authenticates.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Config, dashboardUrl } from '../config.ts'
import { Problem } from '../kernel/problem.ts'

/** The longest duration of a session; the service ends idle ones earlier. */
const COOKIE_SECONDS = 90 * 86_400

const isHttps = (config: Config): boolean =>
  config.baseUrl.startsWith('https:') || dashboardUrl(config).startsWith('https:')

/**
 * __Host-: browsers accept it only from this host and over https, so that no sibling domain can plant one.
 */
const nameOf = (config: Config): string => (isHttps(config) ? '__Host-footfall' : 'footfall')

/** Undefined when the request brings none. */
export const readCookie = (config: Config, request: FastifyRequest): string | undefined =>
  cookieOf(request, nameOf(config))

/** Undefined when the request brings none of that name. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

function write(config: Config, reply: FastifyReply, value: string, seconds: number): void {
  const secure = isHttps(config) ? '; Secure' : ''
  reply.header('set-cookie', `${nameOf(config)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`)
}

export function setCookie(config: Config, reply: FastifyReply, value: string): void {
  write(config, reply, value, COOKIE_SECONDS)
}

export function clearCookie(config: Config, reply: FastifyReply): void {
  write(config, reply, '', 0)
}

const originOf = (url: string): string => new URL(url).origin

/** Undefined when the client does not send where the call comes from. */
function isSameOrigin(config: Config, { headers }: FastifyRequest): boolean | undefined {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  if (origin === undefined) return undefined
  if (!URL.canParse(origin)) return false // "null", as a sandboxed page sends it
  return (
    new URL(origin).host === host || origin === originOf(config.baseUrl) || origin === originOf(dashboardUrl(config))
  )
}

const refused = () => new Problem('insufficient_scope', 'A page of another origin may not make this call.')

/**
 * For calls that the cookie authenticates: a foreign page can make a browser send it. Anything but GET must
 * come from a page of this service.
 * @throws Problem('insufficient_scope')
 */
export function refuseForeignPages(config: Config, request: FastifyRequest): void {
  if (request.method !== 'GET' && isSameOrigin(config, request) !== true) throw refused()
}

/**
 * For calls that set a cookie: programs may call them, but a foreign page must not sign anybody in. @throws
 * Problem('insufficient_scope')
 */
export function refuseForeignSignIns(config: Config, request: FastifyRequest): void {
  if (isSameOrigin(config, request) === false) throw refused()
}
