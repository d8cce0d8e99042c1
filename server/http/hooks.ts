// The accesses of access.ts as onRequest hooks, for routes that are not yet values.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rights, Role } from '../accounts/roles.ts'
import type { SharedWith, SignedIn } from '../accounts/user.ts'
import type { Context } from '../context.ts'
import type { Property } from '../properties/properties.ts'
import type { Scope } from '../properties/tokens.ts'
import { type Access, owner, person, role, shareLink, signedIn, token } from './access.ts'
import type { Caller } from './auth.ts'

interface ShareOptions {
  readonly shared?: boolean
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const hook =
  <Given extends object>(context: Context, accessOf: (request: FastifyRequest) => Access<Given>): Hook =>
  async (request, reply) => {
    request.allowed = await accessOf(request).allow(context, request, reply)
  }

export const requireScope = (context: Context, scope: Scope, options: ShareOptions = {}): Hook =>
  hook(context, () => token(scope, options))

export const requireRole = (context: Context, rights: Role | Rights, options: ShareOptions = {}): Hook =>
  hook(context, ({ method }) => {
    if (typeof rights === 'string') return role(rights, options)
    return role(method === 'GET' ? rights.read : rights.write, options)
  })

export const requireOwner = (context: Context): Hook => hook(context, () => owner)
export const requireSomebody = (context: Context): Hook => hook(context, () => signedIn)
export const requirePerson = (context: Context): Hook => hook(context, () => person)
export const requireShare = (context: Context): Hook => hook(context, () => shareLink)

interface Given {
  readonly property: Property
  readonly caller: Caller
  readonly role: Role
  readonly person: SignedIn
  readonly share?: SharedWith
}

function givenTo(request: FastifyRequest): Given {
  if (request.allowed === null) throw new Error(`nobody is asked for on ${request.routeOptions.url ?? 'this route'}`)
  return request.allowed.given as Given
}

/** Only after requireScope, or after requireRole. */
export const propertyOf = (request: FastifyRequest): Property => givenTo(request).property
/** Only after requireRole, requireOwner or requireSomebody. */
export const callerOf = (request: FastifyRequest): Caller => givenTo(request).caller
/** Only after requireRole. */
export const roleOfCaller = (request: FastifyRequest): Role => givenTo(request).role
/** Only after requirePerson. */
export const personOf = (request: FastifyRequest): SignedIn => givenTo(request).person
export const shareOf = (request: FastifyRequest): SharedWith | undefined => givenTo(request).share
/** The person who called; null for who comes with ADMIN_TOKEN. */
export function userIdOf(request: FastifyRequest): string | null {
  const caller = callerOf(request)
  return caller.kind === 'user' ? caller.user.id : null
}
