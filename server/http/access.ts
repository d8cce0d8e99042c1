// Who may call an endpoint, as a value beside its URL. It also decides what the handler receives: a property,
// a person or a caller only where the access guarantees one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAtLeast, type Role } from '../kernel/roles.ts'
import type { SharedWith, SignedIn } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Asker } from '../queues/asker.ts'
import { Problem, propertyNotFound } from '../kernel/problem.ts'
import { getProperty, isOpenProperty, type Property, type Scope, scopes } from '../properties/properties.ts'
import { authenticate, bearerOf, type Caller, callerName, type Member, roleIn } from './auth.ts'
import { AUTHENTICATED_RATE_LIMIT, limit } from './groups.ts'

/** What an endpoint requires of its caller. */
export type Right =
  | { readonly kind: 'token'; readonly scope: Scope; readonly isShared: boolean }
  | { readonly kind: 'role'; readonly role: Role; readonly isShared: boolean }
  | { readonly kind: 'owner' | 'signed in' | 'person' | 'share link' | 'anyone' }

/** Whether the caller may call. */
export interface Allowed<Given extends object> {
  /** What the handler receives. */
  readonly given: Given
  /** In whose name the facts are queried; nobody's where no rights are needed. */
  readonly asker?: Asker
}

export interface Access<Given extends object> {
  readonly right: Right
  /** For the documentation: any one of these authentications. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /**
   * Runs before the body is read.
   * @throws Problem('unauthenticated' | 'insufficient_scope' | 'not_found' | 'rate_limited')
   */
  readonly allow: (context: Context, request: FastifyRequest, reply: FastifyReply) => Promise<Allowed<Given>>
}

/** For the list of endpoints: `token with shortlinks:read`, `viewer or share link`. */
export function labelOf(right: Right): string {
  if (right.kind === 'owner') return 'owner of the installation'
  if (right.kind !== 'token' && right.kind !== 'role') return right.kind
  return `${right.kind === 'token' ? `token with ${right.scope}` : right.role}${right.isShared ? ' or share link' : ''}`
}

interface ShareOptions<Shared extends boolean> {
  /**
   * The bearer of a share link of the property may call too: for figures, and nothing about single persons.
   */
  readonly shared?: Shared
}

/** What handlers receive where share links are allowed; undefined for all other callers. */
interface ByShare {
  readonly share: SharedWith | undefined
}
type IfShared<Shared extends boolean, Given> = Shared extends true ? Given : unknown

const shareIn = (caller: Caller | undefined): SharedWith | undefined => (caller?.kind === 'share' ? caller : undefined)

/** Callers who manage: the administrator's token, or a signed-in person. */
const managing = [{ admin: [] }, { session: [] }] as const

const askerIn = (propertyId: string, caller: Caller): Asker => ({
  propertyId,
  caller: callerName(caller),
  isShared: caller.kind === 'share',
})

// ---------------------------------------------------------------- /v2/property

/** Names the property for callers who have several; a property's token implies it. */
const PROPERTY_HEADER = 'x-footfall-property'

interface InProperty {
  readonly property: Property
}

interface Holder {
  readonly given: InProperty & ByShare
  readonly asker: Asker
  readonly scopes: readonly Scope[]
}

async function findByToken(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<Holder> {
  const bearer = bearerOf(request)
  if (bearer === undefined)
    throw new Problem('unauthenticated', 'A bearer token is required: Authorization: Bearer <token>.')
  const found = await context.tokens.find(bearer)
  const property = found && (await context.properties.byId(found.propertyId))
  if (!found || !property) throw new Problem('unauthenticated', 'The token is not known.')
  const caller = `token:${found.tokenId}`
  await limit(context, reply, caller, AUTHENTICATED_RATE_LIMIT)
  const asker = { propertyId: property.id, caller, isShared: false }
  return { given: { property, share: undefined }, asker, scopes: found.scopes }
}

function scopesOf(caller: Caller, role: Role, isShared: boolean): readonly Scope[] {
  if (caller.kind === 'share') return isShared ? ['signals:read'] : []
  return role === 'viewer' ? scopes.filter((scope) => scope.endsWith(':read')) : scopes
}

async function findByRole(context: Context, caller: Caller, propertyId: string, isShared: boolean): Promise<Holder> {
  const role = roleIn(caller, propertyId, true)
  const property = role && (await context.properties.byId(propertyId))
  if (!property || !isOpenProperty(property)) throw propertyNotFound()
  const given = { property, share: shareIn(caller) }
  return { given, asker: askerIn(property.id, caller), scopes: scopesOf(caller, role, isShared) }
}

/**
 * A property's token with the scope; or, with X-Footfall-Property, a caller with the same rights in that
 * property.
 */
export function token<Shared extends boolean = false>(
  scope: Scope,
  { shared }: ShareOptions<Shared> = {},
): Access<InProperty & IfShared<Shared, ByShare>> {
  const isShared = shared === true
  return {
    right: { kind: 'token', scope, isShared },
    security: [{ token: [] }, { session: [] }],
    async allow(context, request, reply) {
      const named = request.headers[PROPERTY_HEADER]
      const { scopes: granted, ...allowed } = await (typeof named === 'string'
        ? findByRole(context, await authenticate(context, request, reply), named, isShared)
        : findByToken(context, request, reply))
      if (granted.includes(scope)) return allowed
      throw new Problem('insufficient_scope', `The caller does not have the scope ${scope}.`)
    },
  }
}

// ---------------------------------------------------------------- /manage/properties/:property

interface WithRole<Who> extends InProperty {
  readonly caller: Who
  /** The caller's role in the property. */
  readonly role: Role
}
type GivenByRole<Shared extends boolean> = (Shared extends true ? WithRole<Caller> : WithRole<Member>) &
  IfShared<Shared, ByShare>

/** Under /manage/properties/:property: the administrator, or a person with at least this role. */
export function role<Shared extends boolean = false>(
  least: Role,
  { shared }: ShareOptions<Shared> = {},
): Access<GivenByRole<Shared>> {
  const isShared = shared === true
  return {
    right: { kind: 'role', role: least, isShared },
    security: managing,
    async allow(context, request, reply) {
      const caller = await authenticate(context, request, reply)
      const { property: id } = request.params as { readonly property: string }
      const role = roleIn(caller, id, isShared)
      if (role === undefined) throw propertyNotFound()
      if (!isAtLeast(role, least))
        throw new Problem('insufficient_scope', `This needs the role ${least} in the property; yours is ${role}.`)
      const given = { property: await getProperty(context, id), caller, role, share: shareIn(caller) }
      return { given: given as unknown as GivenByRole<Shared>, asker: askerIn(id, caller) }
    },
  }
}

// ---------------------------------------------------------------- the rest of /manage

/** @param pick returns what the handler receives of a permitted caller. @throws Problem for others */
function callers<Given extends object>(
  kind: 'owner' | 'signed in' | 'person' | 'share link',
  security: Access<Given>['security'],
  pick: (caller: Caller) => Given,
): Access<Given> {
  return {
    right: { kind },
    security,
    async allow(context, request, reply) {
      const caller = await authenticate(context, request, reply)
      return { given: pick(caller), asker: askerIn('', caller) }
    },
  }
}

/** An owner of the installation, or the administrator. */
export const owner = callers<{ readonly caller: Member }>('owner', managing, (caller) => {
  if (caller.kind === 'admin' || (caller.kind === 'user' && caller.user.is_owner)) return { caller }
  throw new Problem('insufficient_scope', 'Only owners of the installation can do this.')
})

/** Any signed-in person, or the administrator. */
export const signedIn = callers<{ readonly caller: Member }>('signed in', managing, (caller) => {
  if (caller.kind !== 'share') return { caller }
  throw new Problem('insufficient_scope', 'A share link only gives access to metrics.')
})

/** A signed-in person, for their own account. */
export const person = callers<{ readonly person: SignedIn }>('person', [{ session: [] }], (caller) => {
  if (caller.kind === 'user') return { person: caller }
  throw new Problem('unauthenticated', 'Sign in to do this.')
})

/** The bearer of a share link of any property. */
export const shareLink = callers<{ readonly share: SharedWith }>('share link', managing, (caller) => {
  if (caller.kind === 'share') return { share: caller }
  throw new Problem('unauthenticated', 'Only people with a share link can do this.')
})

/** Anybody; what is sent may authorise the caller. */
export const anyone: Access<object> = {
  right: { kind: 'anyone' },
  security: [{}],
  allow: async () => ({ given: {} }),
}
