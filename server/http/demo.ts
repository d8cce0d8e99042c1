// An installation that is there to be looked at (DEMO=on): whoever calls is the same guest, who reads the
// sample data. Nothing that is sent with a call makes anybody else of them, so nobody can change anything.
import type { SignedIn } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { findSample } from '../properties/properties.ts'
import type { Endpoint } from './endpoint.ts'

const guest: SignedIn['user'] = {
  id: 'us_guest',
  email: '',
  name: 'Guest',
  is_owner: false,
  has_totp: false,
  created_ts: 0,
}

export async function demoGuest({ records }: Pick<Context, 'records'>): Promise<SignedIn> {
  const sample = await findSample({ records })
  const roles = new Map(sample ? [[sample.property.id, 'viewer'] as const] : [])
  return { sessionId: 'se_guest', createdTs: 0, lastSeenTs: 0, user: guest, roles }
}

/** About the caller's own account, the installation, or a share link: a guest has none of them. */
const ofOthers: ReadonlySet<string> = new Set(['person', 'owner', 'share link'])

/** Whether a guest may call: what only reads, as far as a viewer may. */
export const isForGuests = ({ method, access, contract }: Endpoint): boolean =>
  (method === 'GET' || contract.isQuestion === true) && !ofOthers.has(access.right.kind)

/** @throws Problem('insufficient_scope') in a demo, for all that guests may not call. */
export function refuseInDemo({ config }: Pick<Context, 'config'>, endpoint: Endpoint): void {
  if (config.isDemo && !isForGuests(endpoint))
    throw new Problem('insufficient_scope', 'This is a demo. You can look at everything, but not change it.')
}
