// Who may call an endpoint, as a value beside its URL. It also decides what the handler is given: there is a property, a person or a token
// in its hands only where the access has made sure of it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Role } from '../accounts/roles.ts'
import type { Context } from '../context.ts'
import { getProperty, type Property } from '../properties/properties.ts'
import type { Scope } from '../properties/tokens.ts'
import { type Caller, callerOf, propertyOf, requireRole, requireScope, roleOfCaller } from './auth.ts'

export interface Access<Given extends object> {
  /** For the list of endpoints: `a token with shortlinks:read`. */
  readonly label: string
  /**
   * Before the body is read.
   * @throws Problem('unauthenticated' | 'insufficient_scope' | 'not_found' | 'rate_limited')
   */
  readonly allow: (context: Context, request: FastifyRequest, reply: FastifyReply) => Promise<Given>
}

interface ShareOptions {
  /** The bearer of a share link of the property may call as well: for figures, and nothing that tells of a person. */
  readonly shared?: boolean
}

/** A property's token with the scope; or, with X-Footfall-Property, whoever may do as much in that property. */
export function token(scope: Scope, { shared = false }: ShareOptions = {}): Access<{ readonly property: Property }> {
  return {
    label: `a token with ${scope}${shared ? ', or a share link' : ''}`,
    allow: async (context, request, reply) => {
      await requireScope(context, scope, { shared })(request, reply)
      return { property: propertyOf(request) }
    },
  }
}

interface InProperty {
  readonly property: Property
  readonly caller: Caller
  /** Of the caller in the property. */
  readonly role: Role
}

/** Under /manage/properties/:property: the administrator, or a person whose role there is at least this one. */
export function role(least: Role, { shared = false }: ShareOptions = {}): Access<InProperty> {
  return {
    label: `${least}${shared ? ', or a share link' : ''}`,
    allow: async (context, request, reply) => {
      await requireRole(context, least, { shared })(request, reply)
      const property = await getProperty(context, (request.params as { readonly property: string }).property)
      return { property, caller: callerOf(request), role: roleOfCaller(request, property.id) }
    },
  }
}
