// Who may save something under a name in a property: for themselves, or, as an admin, for everybody in it.
import { invalid, Problem } from '../kernel/problem.ts'
import { isAtLeast, type Role } from '../kernel/roles.ts'
import { type Member, userIdOf } from './auth.ts'

export interface Saver {
  readonly propertyId: string
  readonly caller: Member
  readonly role: Role
}

/** What an endpoint knows of its caller. */
interface Call {
  readonly property: { readonly id: string }
  readonly caller: Member
  readonly role: Role
}

export const saverOf = ({ property, caller, role }: Call): Saver => ({ propertyId: property.id, caller, role })

interface Saved {
  readonly isForAll: boolean
  /** The field of the request that says so. */
  readonly field: string
  /** In messages: one and several, `segment`, `Segments`. */
  readonly nouns: readonly [string, string]
}

/**
 * The id of the person it belongs to, null for everybody in the property.
 * @throws Problem: insufficient_scope for a viewer; validation_failed for a caller who is no person
 */
export function ownerOf({ caller, role }: Saver, { isForAll, field, nouns: [one, several] }: Saved): string | null {
  if (isForAll && !isAtLeast(role, 'admin'))
    throw new Problem('insufficient_scope', `${several} for everyone require the role admin.`)
  const userId = userIdOf(caller)
  if (!isForAll && userId === null) throw invalid(field, `Only a person can have a ${one} of their own.`)
  return isForAll ? null : userId
}
