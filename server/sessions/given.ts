// Which session a call of the owner's server is about: the id that it names, wherever it names it.
import type { IncomingHttpHeaders } from 'node:http'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'

export interface NamesSession {
  readonly session_id?: string | null
  readonly svc_session_id?: string | null
}

/** The first that is given: body, header, form field. An empty one is none. */
export function givenSessionId(headers: IncomingHttpHeaders, body: NamesSession): string | undefined {
  const header = headers['x-service-session-id']
  return body.session_id || (typeof header === 'string' ? header : '') || body.svc_session_id || undefined
}

/** Of a body that is not checked yet. */
export function namesSession(headers: IncomingHttpHeaders, body: unknown): boolean {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return givenSessionId(headers, fields) !== undefined
}

/** @param why what stood in the way of finding one, when something did. */
export function sessionMissing(why?: string): Problem {
  const how = why === undefined ? 'send it in the body, or in the header X-Service-Session-Id.' : why
  return new Problem('validation_failed', `session_id missing: ${how}`, {
    errors: { session_id: ['session_id missing'] },
  })
}

/** @throws Problem('not_found') for an id that this property never gave out. */
export function getSession(keys: Keys, propertyId: string, id: string): SessionRef {
  const session = readSessionId(keys, propertyId, id)
  if (!session) throw new Problem('not_found', 'The session is not in this property.')
  return session
}
