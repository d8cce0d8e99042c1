// What the API answers about a person who may sign in, and about the person's sessions.
import type { Role } from '../kernel/roles.ts'
import type { ListedUserJson, UserJson } from './schema.ts'

export type User = UserJson

/** With the fields that only owners of the installation see. */
export type ListedUser = ListedUserJson

/** A person in a browser in which they are signed in. */
export interface SignedIn {
  /** `se_…`; not the secret in the cookie. */
  readonly sessionId: string
  readonly createdTs: number
  readonly lastSeenTs: number
  readonly user: User
  /** By the id of the property. */
  readonly roles: ReadonlyMap<string, Role>
}

/** The bearer of a share link who, where it has a password, has entered it. */
export interface SharedWith {
  readonly shareId: string
  readonly propertyId: string
  /** The segment that alone is shown; null: everything. */
  readonly segmentId: string | null
}

export const userIdShape = /^us_[0-9A-Za-z]{16,64}$/

/** An owner of the installation is an owner of every property. */
export const roleOf = ({ user, roles }: Pick<SignedIn, 'user' | 'roles'>, propertyId: string): Role | undefined =>
  user.is_owner ? 'owner' : roles.get(propertyId)
