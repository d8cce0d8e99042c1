// Who calls, and may they: a bearer token with a scope of one property, or the administrator's token.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rights, Role } from '../accounts/roles.ts'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import type { Access, Scope } from '../properties/tokens.ts'
import { AUTHENTICATED_RATE_LIMIT, limit } from './groups.ts'

/** Longer than any token ever made here; a longer one is not looked up. */
const MOST_TOKEN_CHARACTERS = 256

/** Set by the hook, read by the handlers after it; forgotten with the request. */
const callers = new WeakMap<FastifyRequest, Property>()

function bearerOf(request: FastifyRequest): string {
  const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined || token.length > MOST_TOKEN_CHARACTERS) {
    throw new Problem('unauthenticated', 'A bearer token is required: Authorization: Bearer <token>.')
  }
  return token
}

async function authenticate(
  context: Context,
  request: FastifyRequest,
): Promise<{ access: Access; property: Property }> {
  const access = await context.tokens.find(bearerOf(request))
  const property = access && (await context.properties.byId(access.propertyId))
  if (!access || !property) throw new Problem('unauthenticated', 'The token is not known.')
  return { access, property }
}

/** An onRequest hook: the body of a caller without rights is not even read. */
export function requireScope(context: Context, scope: Scope) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { access, property } = await authenticate(context, request)
    await limit(context, reply, `token:${access.tokenId}`, AUTHENTICATED_RATE_LIMIT)
    if (!access.scopes.includes(scope))
      throw new Problem('insufficient_scope', `The token does not have the scope ${scope}.`)
    callers.set(request, property)
  }
}

/** The property of the caller's token; only after requireScope. */
export function propertyOf(request: FastifyRequest): Property {
  const property = callers.get(request)
  if (!property) throw new Error(`no scope is required on ${request.routeOptions.url ?? 'this route'}`)
  return property
}

/** Compared as hashes: of equal length, so the time tells nothing about the token, not even its length. */
function isSameToken(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

/** True when the request carries ADMIN_TOKEN; never when none is set. */
export function isAdmin(context: Context, request: FastifyRequest): boolean {
  const expected = context.config.adminToken
  const given = request.headers.authorization
  return (
    expected !== null &&
    given !== undefined &&
    given.startsWith('Bearer ') &&
    isSameToken(given.slice('Bearer '.length).trim(), expected)
  )
}

/**
 * An onRequest hook of routes under /manage/properties/:property: the administrator, or a person whose role there is at least the one that the
 * route declares; one role for every method, or one for GET and one for the rest.
 * @throws Problem('unauthenticated' | 'insufficient_scope' | 'not_found')
 */
export function requireRole(context: Context, _rights: Role | Rights) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!isAdmin(context, request))
      throw new Problem('unauthenticated', 'The administrator token is required: Authorization: Bearer <ADMIN_TOKEN>.')
  }
}
