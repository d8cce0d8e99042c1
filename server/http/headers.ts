// Headers that every answer carries: a browser that is shown one must not guess its type, frame it, keep it or run anything in it.
import type { FastifyInstance } from 'fastify'

const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** Half a year; only where the owner says that the address is https. */
const HTTPS_ONLY = 'max-age=15552000'

/** Also for what is refused before any hook runs. */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return baseUrl.startsWith('https:') ? { ...apiHeaders, 'strict-transport-security': HTTPS_ONLY } : apiHeaders
}

/** Routes that serve something else than JSON set their own over these. */
export function addSecurityHeaders(app: FastifyInstance, baseUrl: string): void {
  const headers = securityHeaders(baseUrl)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
