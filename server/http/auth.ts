// Who calls, and may they: a bearer token with a scope of one property, the administrator's token, somebody signed in, or the bearer of a share link.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAtLeast, type Rights, type Role } from '../accounts/roles.ts'
import { readShareBearer } from '../accounts/share-bearer.ts'
import { roleOf, type SharedWith, type SignedIn } from '../accounts/user.ts'
import type { Context } from '../context.ts'
import type { Asker } from '../kernel/asker.ts'
import { Problem } from '../kernel/problem.ts'
import { isOpenProperty, type Property } from '../properties/properties.ts'
import { type Scope, scopes } from '../properties/tokens.ts'
import { clientAddress } from './client.ts'
import { readCookie, refuseForeignPages } from './cookies.ts'
import { AUTHENTICATED_RATE_LIMIT, limit } from './groups.ts'
import { clientOf } from './limits.ts'

/** Longer than any token ever made here; a longer one is not looked up. */
const MOST_TOKEN_CHARACTERS = 256

/** Somebody with rights in more than one property, or in one through its share link. */
export type Caller =
  | { readonly kind: 'admin' }
  | ({ readonly kind: 'user' } & SignedIn)
  | ({ readonly kind: 'share' } & SharedWith)

/** Set by the hooks, read by the handlers after them; forgotten with the request. */
const propertiesOfRequests = new WeakMap<FastifyRequest, Property>()
const callersOfRequests = new WeakMap<FastifyRequest, Caller>()
/** Of calls with a property's token. */
const tokensOfRequests = new WeakMap<FastifyRequest, string>()

function bearerOf(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? []
  return token === undefined || token.length > MOST_TOKEN_CHARACTERS ? undefined : token
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

/** By the cookie, which speaks only for pages of this service. */
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
 * Undefined for nobody. What is said in Authorization counts before the cookie, which browsers send unasked.
 * @throws Problem('insufficient_scope') for a page elsewhere that would use somebody's cookie.
 */
export async function findCaller(context: Context, request: FastifyRequest): Promise<Caller | undefined> {
  if (request.headers.authorization === undefined) return findUser(context, request)
  return isAdmin(context, request) ? { kind: 'admin' } : findSharedWith(context, request)
}

/** Calls a minute of one who looks at a shared page, and of all of them together: a link may be read by everybody. */
const SHARE_RATE_LIMIT = 60
const WHOLE_SHARE_RATE_LIMIT = 600

async function limitCaller(
  context: Context,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (caller.kind === 'user') return limit(context, reply, `user:${caller.user.id}`, AUTHENTICATED_RATE_LIMIT)
  if (caller.kind !== 'share') return
  const key = `share:${caller.shareId}`
  // First that of the client: what is refused to one of them takes nothing from the others.
  await limit(context, reply, `${key}:${clientOf(clientAddress(request))}`, SHARE_RATE_LIMIT)
  const { 'ratelimit-limit': most, 'ratelimit-remaining': left } = reply.getHeaders()
  await limit(context, reply, key, WHOLE_SHARE_RATE_LIMIT)
  reply.headers({ 'ratelimit-limit': most, 'ratelimit-remaining': left })
}

async function authenticate(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const caller = await findCaller(context, request)
  if (!caller) throw new Problem('unauthenticated', 'Sign in, or send a token: Authorization: Bearer <token>.')
  await limitCaller(context, caller, request, reply)
  callersOfRequests.set(request, caller)
  return caller
}

/** Who called; only after one of the hooks below. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callersOfRequests.get(request)
  if (!caller) throw new Error(`nobody is asked for on ${request.routeOptions.url ?? 'this route'}`)
  return caller
}

/** The person who called; null for who comes with ADMIN_TOKEN or a share link. Only after one of the hooks below. */
export function userIdOf(request: FastifyRequest): string | null {
  const caller = callerOf(request)
  return caller.kind === 'user' ? caller.user.id : null
}

/** Whoever was let in by a share link; only after one of the hooks below. */
export function shareOf(request: FastifyRequest): SharedWith | undefined {
  const caller = callersOfRequests.get(request)
  return caller?.kind === 'share' ? caller : undefined
}

function callerName(request: FastifyRequest): string | undefined {
  const tokenId = tokensOfRequests.get(request)
  if (tokenId !== undefined) return `token:${tokenId}`
  const caller = callersOfRequests.get(request)
  if (caller?.kind === 'user') return `user:${caller.user.id}`
  return caller?.kind === 'share' ? `share:${caller.shareId}` : caller?.kind
}

/** Who asks what the request asks of the facts; undefined before the hooks below, and for who needs no rights. */
export function askerOf(request: FastifyRequest): Asker | undefined {
  const caller = callerName(request)
  if (caller === undefined) return undefined
  const { property } = request.params as { readonly property?: string }
  const propertyId = propertiesOfRequests.get(request)?.id ?? property ?? ''
  return { propertyId, caller, isShared: shareOf(request) !== undefined }
}

// ---------------------------------------------------------------- /manage

/** Undefined: the property is none of the caller's business, and not even known to exist. */
function roleIn(caller: Caller, propertyId: string, isShared: boolean): Role | undefined {
  if (caller.kind === 'admin') return 'owner'
  if (caller.kind === 'user') return roleOf(caller, propertyId)
  return isShared && caller.propertyId === propertyId ? 'viewer' : undefined
}

/** Only after requireRole. */
export const roleOfCaller = (request: FastifyRequest, propertyId: string): Role =>
  roleIn(callerOf(request), propertyId, true) ?? 'viewer'

const propertyNotFound = () => new Problem('not_found', 'Property not found.')

interface RoleOptions {
  /** The bearer of a share link of the property may call as well: for figures, and nothing that tells of a person. */
  readonly shared?: boolean
}

function leastRole(rights: Role | Rights, method: string): Role {
  if (typeof rights === 'string') return rights
  return method === 'GET' ? rights.read : rights.write
}

/**
 * An onRequest hook of routes under /manage/properties/:property: the administrator, or a person whose role there is at least the one that the
 * route declares; one role for every method, or one for GET and one for the rest.
 * @throws Problem('unauthenticated' | 'insufficient_scope' | 'not_found' | 'rate_limited')
 */
export function requireRole(context: Context, rights: Role | Rights, { shared = false }: RoleOptions = {}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await authenticate(context, request, reply)
    const { property } = request.params as { readonly property?: string }
    if (property === undefined) throw new Error('requireRole stands on a route without a property')
    const role = roleIn(caller, property, shared)
    if (role === undefined) throw propertyNotFound()
    const least = leastRole(rights, request.method)
    if (!isAtLeast(role, least))
      throw new Problem('insufficient_scope', `This needs the role ${least} in the property; yours is ${role}.`)
  }
}

/** An onRequest hook: anybody who is signed in, or the administrator. */
export function requireSomebody(context: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { kind } = await authenticate(context, request, reply)
    if (kind === 'share') throw new Problem('insufficient_scope', 'A share link shows the figures of a property alone.')
  }
}

/** An onRequest hook: an owner of the installation, or the administrator. */
export function requireOwner(context: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await authenticate(context, request, reply)
    const isOwner = caller.kind === 'admin' || (caller.kind === 'user' && caller.user.is_owner)
    if (!isOwner) throw new Problem('insufficient_scope', 'This is for owners of the installation.')
  }
}

/** An onRequest hook: a person, whose own account it is about. */
export function requirePerson(context: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { kind } = await authenticate(context, request, reply)
    if (kind !== 'user') throw new Problem('unauthenticated', 'Sign in: this belongs to a person.')
  }
}

/** An onRequest hook: the bearer of a share link. */
export function requireShare(context: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { kind } = await authenticate(context, request, reply)
    if (kind !== 'share') throw new Problem('unauthenticated', 'This is for the bearer of a share link.')
  }
}

/** Only after requirePerson. */
export function personOf(request: FastifyRequest): SignedIn {
  const caller = callerOf(request)
  if (caller.kind !== 'user') throw new Error('no person is asked for on this route')
  return caller
}

// ---------------------------------------------------------------- /v2/property

/** Names the property for callers who have more than one; a property's token says it by itself. */
const PROPERTY_HEADER = 'x-footfall-property'

function scopesOf(caller: Caller, propertyId: string, isShared: boolean): readonly Scope[] | undefined {
  const role = roleIn(caller, propertyId, true)
  if (role === undefined) return undefined
  if (caller.kind === 'share') return isShared ? ['signals:read'] : []
  return role === 'viewer' ? scopes.filter((scope) => scope.endsWith(':read')) : scopes
}

interface Allowed {
  readonly property: Property
  readonly scopes: readonly Scope[]
}

async function allowByToken(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Allowed> {
  const bearer = bearerOf(request)
  if (bearer === undefined)
    throw new Problem('unauthenticated', 'A bearer token is required: Authorization: Bearer <token>.')
  const access = await context.tokens.find(bearer)
  const property = access && (await context.properties.byId(access.propertyId))
  if (!access || !property) throw new Problem('unauthenticated', 'The token is not known.')
  await limit(context, reply, `token:${access.tokenId}`, AUTHENTICATED_RATE_LIMIT)
  tokensOfRequests.set(request, access.tokenId)
  return { property, scopes: access.scopes }
}

async function allowByRole(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  propertyId: string,
  isShared: boolean,
): Promise<Allowed> {
  const caller = await authenticate(context, request, reply)
  const allowed = scopesOf(caller, propertyId, isShared)
  const property = allowed && (await context.properties.byId(propertyId))
  if (!property || !isOpenProperty(property)) throw propertyNotFound()
  return { property, scopes: allowed }
}

/**
 * An onRequest hook: the body of a caller without rights is not even read. A property's token; or, with X-Footfall-Property, whoever may see
 * that property.
 */
export function requireScope(context: Context, scope: Scope, { shared = false }: RoleOptions = {}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const named = request.headers[PROPERTY_HEADER]
    const allowed = await (typeof named === 'string'
      ? allowByRole(context, request, reply, named, shared)
      : allowByToken(context, request, reply))
    if (!allowed.scopes.includes(scope))
      throw new Problem('insufficient_scope', `The caller does not have the scope ${scope}.`)
    propertiesOfRequests.set(request, allowed.property)
  }
}

/** The property of the call; only after requireScope. */
export function propertyOf(request: FastifyRequest): Property {
  const property = propertiesOfRequests.get(request)
  if (!property) throw new Error(`no scope is required on ${request.routeOptions.url ?? 'this route'}`)
  return property
}
