// The accesses of access.ts as onRequest hooks, for routes that are not yet values.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rights, Role } from '../accounts/roles.ts'
import type { SharedWith } from '../accounts/user.ts'
import type { Context } from '../context.ts'
import type { Property } from '../properties/properties.ts'
import type { Scope } from '../properties/tokens.ts'
import { type Access, owner, role, token } from './access.ts'

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

interface Given {
  readonly property: Property
  readonly share?: SharedWith
}

function givenTo(request: FastifyRequest): Given {
  if (request.allowed === null) throw new Error(`nobody is asked for on ${request.routeOptions.url ?? 'this route'}`)
  return request.allowed.given as Given
}

/** Only after requireScope, or after requireRole. */
export const propertyOf = (request: FastifyRequest): Property => givenTo(request).property
export const shareOf = (request: FastifyRequest): SharedWith | undefined => givenTo(request).share
