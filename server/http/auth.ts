// Identifies the caller: the administrator by token, a signed-in person by cookie, or the bearer of a share
// link. What each may do is decided in access.ts.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Role } from '../kernel/roles.ts'
import { readShareBearer } from '../members/members.ts'
import { roleOf, type SharedWith, type SignedIn } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { clientAddress } from './client.ts'
import { demoGuest } from './demo.ts'
import { readCookie, refuseForeignPages } from './cookies.ts'
import { AUTHENTICATED_RATE_LIMIT, limit } from './groups.ts'
import { clientOf } from './limits.ts'

/** Longer than any token ever created here; a longer one is not looked up. */
const MOST_TOKEN_CHARACTERS = 256

/** A caller with rights in several properties. */
export type Member = { readonly kind: 'admin' } | ({ readonly kind: 'user' } & SignedIn)

/** The same, or a caller with rights in one property through its share link. */
export type Caller = Member | ({ readonly kind: 'share' } & SharedWith)

/** Those that the caller has a role in; undefined: all properties. */
export function propertiesOf(caller: Member): readonly string[] | undefined {
  return caller.kind === 'admin' || caller.user.is_owner ? undefined : [...caller.roles.keys()]
}

export function bearerOf(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? []
  return token === undefined || token.length > MOST_TOKEN_CHARACTERS ? undefined : token
}

/** Compared as hashes of equal length, so the time reveals nothing about the token, not even its length. */
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

/** By the cookie, which only authenticates pages of this service. */
async function findUser(context: Context, request: FastifyRequest): Promise<Caller | undefined> {
  const secret = readCookie(context.config, request)
  const signedIn = secret === undefined ? undefined : await context.accounts.bySecret(secret)
  if (!signedIn) return undefined
  refuseForeignPages(context.config, request)
  return { kind: 'user', ...signedIn }
}

async function findSharedWith(context: Context, request: FastifyRequest): Promise<Caller | undefined> {
  const shareId = readShareBearer(context, bearerOf(request) ?? '')
  const share = shareId === undefined ? undefined : await context.accounts.shareById(shareId)
  return share && { kind: 'share', ...share }
}

/**
 * Undefined for an anonymous caller; in a demo everybody is its guest, whatever they send. Authorization has
 * precedence over the cookie, which browsers send by themselves.
 * @throws Problem('insufficient_scope') for a foreign page that would use a person's cookie.
 */
export async function findCaller(context: Context, request: FastifyRequest): Promise<Caller | undefined> {
  if (context.config.isDemo) return { kind: 'user', ...(await demoGuest(context)) }
  if (request.headers.authorization === undefined) return findUser(context, request)
  return isAdmin(context, request) ? { kind: 'admin' } : findSharedWith(context, request)
}

/** Calls a minute of one viewer of a shared page, and of all of them together: a link may be public. */
const SHARE_RATE_LIMIT = 60
const WHOLE_SHARE_RATE_LIMIT = 600

async function limitCaller(
  context: Context,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Guests are many with one name: each address has a limit of its own.
  if (context.config.isDemo)
    return limit(context, reply, `guest:${clientOf(clientAddress(request))}`, AUTHENTICATED_RATE_LIMIT)
  if (caller.kind === 'user') return limit(context, reply, `user:${caller.user.id}`, AUTHENTICATED_RATE_LIMIT)
  if (caller.kind !== 'share') return
  const key = `share:${caller.shareId}`
  // The client's counter first: refusing one client takes nothing from the others.
  await limit(context, reply, `${key}:${clientOf(clientAddress(request))}`, SHARE_RATE_LIMIT)
  const { 'ratelimit-limit': most, 'ratelimit-remaining': left } = reply.getHeaders()
  await limit(context, reply, key, WHOLE_SHARE_RATE_LIMIT)
  reply.headers({ 'ratelimit-limit': most, 'ratelimit-remaining': left })
}

/** Identifies the caller and counts the call. @throws Problem('unauthenticated' | 'rate_limited') */
export async function authenticate(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const caller = await findCaller(context, request)
  if (!caller) throw new Problem('unauthenticated', 'Sign in, or send a token: Authorization: Bearer <token>.')
  await limitCaller(context, caller, request, reply)
  return caller
}

/** The calling person; null for ADMIN_TOKEN. */
export const userIdOf = (caller: Member): string | null => (caller.kind === 'user' ? caller.user.id : null)

/** Identifies the caller's queries, so that callers take fair turns. */
export function callerName(caller: Caller): string {
  if (caller.kind === 'user') return `user:${caller.user.id}`
  return caller.kind === 'share' ? `share:${caller.shareId}` : caller.kind
}

/** Undefined: the caller has no rights in the property, and does not learn whether it exists. */
export function roleIn(caller: Caller, propertyId: string, isShared: boolean): Role | undefined {
  if (caller.kind === 'admin') return 'owner'
  if (caller.kind === 'user') return roleOf(caller, propertyId)
  return isShared && caller.propertyId === propertyId ? 'viewer' : undefined
}
