// What everybody is told of a person who may sign in, and of where they are signed in.
import type { Role } from '../members/roles.ts'
import type { ListedUserJson, UserJson } from './schema.ts'

export type User = UserJson

/** With what other owners of the installation see. */
export type ListedUser = ListedUserJson

/** Somebody in a browser in which they are signed in. */
export interface SignedIn {
  /** `se_…`; the text in the cookie is another one. */
  readonly sessionId: string
  readonly createdTs: number
  readonly lastSeenTs: number
  readonly user: User
  /** By the id of the property. */
  readonly roles: ReadonlyMap<string, Role>
}

/** Whoever has the link of a share and, if it has one, its password. */
export interface SharedWith {
  readonly shareId: string
  readonly propertyId: string
}

export const userIdShape = /^us_[0-9A-Za-z]{16,64}$/

/** Of an owner of the installation: owner, everywhere. */
export const roleOf = ({ user, roles }: Pick<SignedIn, 'user' | 'roles'>, propertyId: string): Role | undefined =>
  user.is_owner ? 'owner' : roles.get(propertyId)
