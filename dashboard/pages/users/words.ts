// How a person is called, and what state their account is in.
import type { ListedUser } from '../../api/accounts.ts'

type State = 'active' | 'invited' | 'inactive'

export const nameOf = ({ name, email }: Pick<ListedUser, 'name' | 'email'>): string => name || email

export function stateOf({ is_active: isActive, has_password: has }: ListedUser): State {
  if (!isActive) return 'inactive'
  return has ? 'active' : 'invited'
}

export const tones = { active: 'good', invited: 'plain', inactive: 'warn' } as const
