// What each endpoint asks of its caller, as its value says, and what follows for whom. docs/api/README.md
// holds the values themselves: who changes one sees it there.
import { endpoints } from '../../server/endpoints.ts'
import { isAtLeast, type Role } from '../../server/kernel/roles.ts'
import type { Right as Declared } from '../../server/http/access.ts'

/** What a route asks of its caller. */
export type Right =
  /** Nobody has to be signed in. */
  | 'public'
  /** Whoever is signed in. */
  | 'somebody'
  /** A person, whose own account it is; the administrator's token is none. */
  | 'person'
  /** The bearer of a share link, of whichever property. */
  | 'share'
  /** An owner of the installation. */
  | 'installation'
  /** A role in the property. */
  | Role
  /** A role in the property, or its share link. */
  | 'viewer or share'

const roles: ReadonlySet<string> = new Set(['viewer', 'admin', 'owner'])

/** What somebody may do who has that role in the property, none, or the whole installation. */
export const byRole =
  (role: Role | undefined, isInstallationOwner = false) =>
  (right: Right): boolean => {
    if (right === 'public' || right === 'somebody' || right === 'person') return true
    if (right === 'share') return false
    if (right === 'installation') return isInstallationOwner
    return role !== undefined && isAtLeast(role, roles.has(right) ? (right as Role) : 'viewer')
  }

const plain = {
  anyone: 'public',
  'signed in': 'somebody',
  person: 'person',
  'share link': 'share',
  owner: 'installation',
} as const

/** What an endpoint's own access asks of somebody without a token. */
function declaredRight(right: Declared): Right {
  if (right.kind !== 'role' && right.kind !== 'token') return plain[right.kind]
  if (right.isShared) return 'viewer or share'
  if (right.kind === 'role') return right.role
  return right.scope.endsWith(':read') ? 'viewer' : 'admin'
}

export interface GuardedRoute {
  readonly method: string
  /** With `{name}` where an id stands, as in /openapi.json. */
  readonly pattern: string
  readonly right: Right
  /** That a token needs; undefined where no token is taken. */
  readonly scope: string | undefined
}

export const guardedRoutes: readonly GuardedRoute[] = endpoints.map(({ method, url, access: { right } }) => ({
  method,
  pattern: url.replaceAll(/:(\w+)/g, '{$1}'),
  right: declaredRight(right),
  scope: right.kind === 'token' ? right.scope : undefined,
}))
