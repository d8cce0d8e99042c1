// What the documentation says that each route of /manage and /v2/property asks of its caller, written down apart from the server's own tables.
import { isAtLeast, type Role } from '../../server/members/roles.ts'
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

/** Those whose rights do not follow from their address and method. */
export const unusual: Readonly<Record<string, Right>> = {
  'GET /manage/session': 'public',
  'POST /manage/session': 'public',
  'DELETE /manage/session': 'public',
  'POST /manage/setup': 'public',
  'POST /manage/invitation': 'public',
  'POST /manage/invitation/accept': 'public',
  'POST /manage/share': 'public',
  'POST /manage/share/renew': 'share',
  'GET /manage/properties': 'somebody',
  'POST /manage/properties': 'installation',
  'DELETE /manage/properties/{property}': 'owner',
  'GET /manage/properties/{property}/tokens': 'admin',
  'GET /manage/properties/{property}/members': 'owner',
  'POST /manage/properties/{property}/members': 'owner',
  'POST /manage/properties/{property}/members/{user}': 'owner',
  'DELETE /manage/properties/{property}/members/{user}': 'owner',
  'GET /manage/properties/{property}/invitations': 'owner',
  'DELETE /manage/properties/{property}/invitations/{invitation}': 'owner',
  'GET /manage/properties/{property}/shares': 'admin',
  'POST /manage/properties/{property}/overview': 'viewer or share',
  'POST /manage/properties/{property}/lists/{dimension}': 'viewer or share',
  'POST /manage/properties/{property}/live': 'viewer or share',
  'POST /v2/property/signals/sessions': 'viewer',
  'POST /manage/properties/{property}/bots': 'viewer',
  'GET /manage/properties/{property}/forms/{form}/submissions/export': 'admin',
  'GET /manage/properties/{property}/exports': 'admin',
  'GET /manage/properties/{property}/exports/{export}': 'admin',
  'GET /manage/properties/{property}/exports/{export}/file': 'admin',
  // Questions that need a body.
  'POST /v2/property/attribution/preview': 'viewer',
}

export function rightOf(method: string, pattern: string): Right {
  const known = unusual[`${method} ${pattern}`]
  if (known !== undefined) return known
  if (pattern.startsWith('/v2/property/signals/')) return 'viewer or share'
  if (pattern.startsWith('/v2/property/') || pattern.startsWith('/manage/properties/{property}'))
    return method === 'GET' ? 'viewer' : 'admin'
  return pattern.startsWith('/manage/account') ? 'person' : 'installation'
}

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

/** The scope that a token needs (SPEC.md, section 4: each part of the interface names its own). */
export function scopeOf(method: string, pattern: string): string {
  const [, part] = /^\/v2\/property\/([a-z-]+)/.exec(pattern) ?? []
  if (part === 'signals') return 'signals:read'
  if (part === 'session') return 'signals:write'
  const does = method === 'GET' || part === 'attribution' ? 'read' : 'write'
  return `${part === 'contacts' ? 'contacts' : 'shortlinks'}:${does}`
}

const plain = {
  anyone: 'public',
  'signed in': 'somebody',
  person: 'person',
  'share link': 'share',
  owner: 'installation',
} as const

/** What an endpoint's own access asks of somebody without a token. */
export function declaredRight(right: Declared): Right {
  if (right.kind !== 'role' && right.kind !== 'token') return plain[right.kind]
  if (right.isShared) return 'viewer or share'
  if (right.kind === 'role') return right.role
  return right.scope.endsWith(':read') ? 'viewer' : 'admin'
}
