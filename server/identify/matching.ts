// Which contact an identification means: the one with its external id, else, of those with its address, the
// one seen last. What sessions did after an identification is in the facts, which cannot be asked inside a
// transaction: it is read before one, and only where it can decide.
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { IdentificationDraft } from './draft.ts'
import { listByEmailAlias } from '../contacts/alias-records.ts'
import { findIdByExternalId, type Giver, listByAddress, type MatchBy, type Sharer } from '../contacts/records.ts'
import { type Activity, noActivity, readActivity } from './seen.ts'

/** A session is linked by an identification, and goes on for no longer than into the day after its own. */
const GOES_ON_MS = 2 * DAY_MS

export function matchOf(draft: IdentificationDraft): MatchBy {
  if (draft.external_id !== null) return { external_id: draft.external_id }
  return { email_key: draft.email?.key ?? '' }
}

/**
 * Those among whom an address decides. To a token those whose address a token gave stand before all others:
 * what a visitor wrote may be anybody's, and must not divert what the owner says.
 */
async function listSharers(records: Records, propertyId: string, emailKey: string, by: Giver): Promise<Sharer[]> {
  const merged = await listByEmailAlias(records, propertyId, emailKey)
  const given = async (giver: Giver) => [
    ...(await listByAddress(records, propertyId, emailKey, giver)),
    ...merged.filter(({ given_by }) => given_by === giver),
  ]
  const trusted = await given('token')
  if (trusted.length > 0 && by === 'token') return trusted
  return [...trusted, ...(await given('visitor'))]
}

/**
 * When the sessions of those whom an address may mean were active, as far as it matters which of them it was.
 * Nothing while the facts are away: the last identification decides then.
 */
export async function readMatchActivity(
  deps: Pick<Deps, 'records' | 'facts' | 'log'>,
  propertyId: string,
  draft: IdentificationDraft,
  by: Giver,
): Promise<Activity> {
  const match = matchOf(draft)
  if (!('email_key' in match)) return noActivity
  const sharers = await listSharers(deps.records, propertyId, match.email_key, by)
  const latestMs = Math.max(...sharers.map((sharer) => sharer.last_seen_ms))
  const possible = sharers.filter((sharer) => sharer.last_seen_ms >= latestMs - GOES_ON_MS)
  return possible.length > 1 ? readActivity(deps, propertyId, possible, 'lookup') : noActivity
}

/** What a match goes by, besides what stands in the records. */
export interface MatchBasis {
  readonly by: Giver
  readonly activity: Activity
}

/** Undefined when nobody matches. A deleted contact has neither id nor address any more. */
export async function findMatch(
  tx: Tx,
  propertyId: string,
  match: MatchBy,
  { by, activity }: MatchBasis,
): Promise<string | undefined> {
  if (!('email_key' in match)) return findIdByExternalId(tx, propertyId, match.external_id)
  const seenMs = (sharer: Sharer) => Math.max(sharer.last_seen_ms, activity.get(sharer.id) ?? 0)
  const sharers = await listSharers(tx, propertyId, match.email_key, by)
  return sharers.toSorted((a, b) => seenMs(b) - seenMs(a) || b.seq - a.seq)[0]?.id
}
