// Finds the property of a call of the browser library, and the session of its visitor.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import { isExcludedAddress, type Property } from '../properties/properties.ts'
import type { Sender } from '../sessions/sessions.ts'
import { openVisitorReader, type ReadVisitor } from './client.ts'
import { isOfAnotherProperty } from './foreign.ts'
import { type Guard, openGuard } from './guard.ts'
import { EXCLUDED } from './load.ts'
import { hintsIn } from './rows.ts'
import type { Visitor } from './visitors.ts'

/** An answer with status 200 that says why nothing was recorded. */
export interface Failure {
  readonly success: false
  readonly message: string
  readonly errors?: readonly string[]
}

export const unknownSession: Failure = { success: false, message: 'Session not found' }

/** What reading a call needs. */
export interface Tracker {
  readonly context: Context
  readonly readVisitor: ReadVisitor
  readonly guard: Guard
}

/** A call whose property is known. */
interface Call {
  readonly request: FastifyRequest
  readonly property: Property
}

export function openTracker(context: Context): Tracker {
  return {
    context,
    readVisitor: openVisitorReader(context.config.trustProxy),
    guard: openGuard(context.refusals),
  }
}

export function isFailure(value: Property | SessionRef | Failure): value is Failure {
  return 'success' in value
}

/** A beacon cannot set headers, so its body names the property. */
export async function findProperty(
  { properties }: Pick<Context, 'properties'>,
  request: FastifyRequest,
  siteId?: string,
): Promise<Property | Failure> {
  const header = request.headers['x-svc-id']
  const key = (typeof header === 'string' ? header : '') || siteId
  if (!key) return { success: false, message: 'Missing headers', errors: ['X-SVC-ID'] }
  return (await properties.byKey(key)) ?? { success: false, message: 'Signal ID not found' }
}

/** For what a visitor does on a page: calls from an excluded address store nothing. */
export async function findVisited(
  { context, readVisitor }: Tracker,
  request: FastifyRequest,
  siteId?: string,
): Promise<Property | Failure> {
  const property = await findProperty(context, request, siteId)
  if (isFailure(property) || property.excluded_addresses.length === 0) return property
  const { address } = readVisitor(request, property)
  return isExcludedAddress(property, address) ? { success: false, message: EXCLUDED } : property
}

/**
 * The session of the id in the URL, while its day lasts or it continues over midnight; else the visitor's
 * session of today, whatever the id is. A failure when the visitor has no page view today, and for a genuine
 * id of another property.
 */
export async function findSession(tracker: Tracker, call: Call): Promise<SessionRef | Failure> {
  const { keys, visitors } = tracker.context
  const { sessionId: id } = call.request.params as { sessionId: string }
  const given = readSessionId(keys, call.property.id, id)
  if (given && (await visitors.isCurrent(given))) return given
  const session = await findVisitorSession(tracker, call)
  // Checked last because it costs the most: without a session the answer is the same.
  const isMistaken = session && !given && (await isOfAnotherProperty(tracker.context, call.property.id, id))
  return session && !isMistaken ? session : unknownSession
}

/** The visitor's session of today, rebuilt from the request. */
export async function findVisitorSession(
  { context, readVisitor }: Tracker,
  { request, property }: Call,
): Promise<SessionRef | undefined> {
  const rebuilt = await context.visitors.identify(property.id, readVisitor(request, property))
  return (await context.visitors.exists(property.id, rebuilt)) ? rebuilt : undefined
}

/** The same verdict that a page view of this request would get. */
function isRobot({ enrich }: Pick<Context, 'enrich'>, visitor: Visitor, headers: FastifyRequest['headers']): boolean {
  const place = enrich.place(visitor.address)
  return enrich.bot({ userAgent: visitor.agent, place, brands: hintsIn(headers)?.brands }).is_bot
}

export function senderOf({ context, readVisitor, guard }: Tracker, { request, property }: Call): Sender {
  return {
    isVisitor: true,
    isRobot: () => isRobot(context, readVisitor(request, property), request.headers),
    checkUsd: (cents) => guard.checkUsd(property, cents),
  }
}
