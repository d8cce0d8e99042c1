// Headers of every answer: browsers must not guess its type, frame it, cache it or run anything in it.
import type { FastifyInstance } from 'fastify'
import { Problem } from '../kernel/problem.ts'

const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** Half a year; only where the owner configured https. */
const HTTPS_ONLY = 'max-age=15552000'

/** Also for answers that are sent before any hook runs. */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return baseUrl.startsWith('https:') ? { ...apiHeaders, 'strict-transport-security': HTTPS_ONLY } : apiHeaders
}

/** Routes that serve something other than JSON override them. */
export function addSecurityHeaders(app: FastifyInstance, baseUrl: string): void {
  const headers = securityHeaders(baseUrl)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/**
 * The only expectation is 100-continue, which Node answers itself. Checked after the hooks of the groups, so
 * that such a request is counted and its refusal can be read like any other. HTTP/1.0 does not have the
 * header.
 */
export function refuseExpectations(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { expect } = request.headers
    const isKnown = expect === undefined || expect.trim().toLowerCase() === '100-continue'
    if (isKnown || request.raw.httpVersion === '1.0') done()
    else done(new Problem('expectation_failed', 'The Expect header can only be 100-continue.'))
  })
}
