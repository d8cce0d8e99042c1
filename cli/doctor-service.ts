// Checks the running service for `footfall doctor`: does it answer, and is there a proxy before it that the
// settings do not name?
import type { Config } from '../server/config.ts'
import { ok, type Scene, type Verdict, warn } from './doctor-verdict.ts'

const ANSWER_MS = 4_000
/** Of each worker, where there are several. */
const counted = /^footfall_unknown_proxy_requests_total(?:\{[^}]*\})? (\d+)$/gm

/** @throws when it does not answer. */
export function askService({ host, port, adminToken }: Config, path: string): Promise<Response> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  const headers = adminToken === null ? {} : { authorization: `Bearer ${adminToken}` }
  return fetch(`http://${name}:${port}${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS) })
}

/** A worker that is killed cuts off what it was asked; another one is there. */
const TRIES = 2

/** Only a Footfall answers /readyz with both its stores. */
export async function findService(config: Config): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) if (await hasAnswered(config)) return true
  return false
}

async function hasAnswered(config: Config): Promise<boolean> {
  try {
    const body: unknown = await (await askService({ ...config, adminToken: null }, '/readyz')).json()
    return typeof body === 'object' && body !== null && 'records' in body && 'facts' in body
  } catch {
    return false // nothing there, or something else
  }
}

/**
 * Undefined when the service does not answer here: it may listen on a network address only, and without
 * ADMIN_TOKEN it does not say.
 */
async function countOfUnknownProxies({ config, isServing }: Scene): Promise<number | undefined> {
  if (!isServing) return undefined
  const found = [...(await (await askService(config, '/metrics')).text()).matchAll(counted)]
  return found.length === 0 ? undefined : found.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** A proxy that adds no header looks like a program of the owner's: the owner has to know the rule. */
const ownMachine =
  'requests from this machine may set X-PROXY-*, unless X-Forwarded-For shows that a proxy passed them on; a proxy that adds no such header must remove X-PROXY-*'

/** Only requests reveal a proxy. */
export async function checkProxies(scene: Scene): Promise<Verdict> {
  const { trustProxy } = scene.config
  if (trustProxy.length > 0)
    return ok(`trusted: ${trustProxy.join(', ')}; X-PROXY-* counts from there when it comes without X-Forwarded-For`)
  const count = await countOfUnknownProxies(scene)
  if (count === undefined)
    return ok(`TRUST_PROXY is not set: right as long as no proxy stands before the service; ${ownMachine}`)
  if (count === 0)
    return ok(`TRUST_PROXY is not set, and no request came through a proxy that it should name; ${ownMachine}`)
  return warn(
    `TRUST_PROXY is not set, but requests had X-Forwarded-For (${count}): if they come through a proxy of yours, set TRUST_PROXY to it, or all its visitors count as one; ${ownMachine}`,
  )
}
