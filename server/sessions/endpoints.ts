// The session actions of the owner's server (docs/definitions.md). A genuine session id is good for ever: an
// order may come weeks after the visit.
import type { IncomingHttpHeaders } from 'node:http'
import { token } from '../http/access.ts'
import { chapter, post } from '../http/endpoint.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'
import { adoptCurrency, type Property } from '../properties/properties.ts'
import { getSession, givenSessionId, namesSession, type NamesSession, sessionMissing } from './given.ts'
import * as schema from './schema.ts'
import { recordAcquisition, recordEvent } from './sessions.ts'
import { owner } from './triggers.ts'

interface GivenSession {
  readonly id: string
  readonly session: SessionRef
}

interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

interface Named {
  readonly property: Property
  readonly request: Pick<Asked, 'headers'>
  readonly body: NamesSession
}

/**
 * @throws Problem('validation_failed') without one, Problem('not_found') for one that is not of the property.
 */
function requireSession(keys: Keys, { property, request, body }: Named): GivenSession {
  const id = givenSessionId(request.headers, body)
  if (id === undefined) throw sessionMissing()
  return { id, session: getSession(keys, property.id, id) }
}

/**
 * Told before anything else that is wrong with a body, also of one that cannot be read: what it is about
 * comes first.
 */
function refusal(error: Error, { headers, body }: Asked): Error {
  if (namesSession(headers, body)) return error
  if ('validation' in error) return sessionMissing()
  const isUnread = body === undefined && error instanceof Problem && error.kind === 'validation_failed'
  return isUnread && !error.errors ? sessionMissing(error.message) : error
}

const writing = token('signals:write')

export const sessionEndpoints = chapter('Session actions', [
  post(
    '/v2/property/session/event',
    writing,
    {
      summary: 'Record an event on a session',
      headers: schema.SessionHeaders,
      body: schema.EventBody,
      answer: { event: schema.EventShape },
      refusal,
    },
    async (call) => {
      const { context, property, body } = call
      const { session } = requireSession(context.keys, call)
      const { event } = await recordEvent(context, { propertyId: property.id, session, sender: owner }, body)
      return { event }
    },
  ),
  post(
    '/v2/property/session/acquisition',
    writing,
    {
      summary: 'Record revenue and tags on a session',
      headers: schema.SessionHeaders,
      body: schema.AcquisitionBody,
      answer: { session: schema.AcquisitionShape },
      refusal,
    },
    async (call) => {
      const { context, property, body } = call
      const { id, session } = requireSession(context.keys, call)
      const { acquisition } = await recordAcquisition(
        context,
        { propertyId: property.id, session, sender: owner },
        body,
      )
      await adoptCurrency(context, property, acquisition.value?.currency)
      return { session: { id, ...acquisition } }
    },
  ),
])
