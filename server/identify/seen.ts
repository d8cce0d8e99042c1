// When a contact was last seen: the last identification, or what its sessions did after it. The latter only
// the facts know.
import { DAY_MS, dayText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Records } from '../stores/records.ts'
import { keyText, type SessionKey } from '../sessions/sessions.ts'
import type { Contact } from '../contacts/contact-model.ts'
import { readLastActivity } from './facts.ts'
import { listLatestLinks } from '../contacts/session-records.ts'

/**
 * Those of each contact that began last, so that one with thousands takes nothing from its neighbours on the
 * page. A session that was followed by as many others is not the one in which a person was seen last.
 */
const SESSIONS_EACH = 20

interface ContactSession {
  readonly contact_id: string
  readonly key: SessionKey
}

/**
 * Sessions of its day and later ones may have gone on after the identification, and those carried over
 * midnight.
 */
const lateFrom = (contact: Seen) => (Math.floor(contact.last_seen_ms / DAY_MS) - 1) * (DAY_MS / 1000)

/** A session begins on its day, so that `entry_ts` says what `day` would. */
async function listLateSessions(records: Records, contacts: readonly Seen[]): Promise<ContactSession[]> {
  const rows = await listLatestLinks(
    records,
    contacts.map((contact) => ({ contactId: contact.id, fromTs: lateFrom(contact) })),
    SESSIONS_EACH,
  )
  return rows.map((row) => ({ contact_id: row.contact_id, key: { day: dayText(row.day), session: row.session } }))
}

/** By contact id, in milliseconds: when the last of its late sessions was active. */
export type Activity = ReadonlyMap<string, number>

export const noActivity: Activity = new Map()

type Seen = Pick<Contact, 'id' | 'last_seen_ms'>

type SeenDeps = Pick<Deps, 'records' | 'facts' | 'log'>

async function askActivity(
  deps: SeenDeps,
  propertyId: string,
  contacts: readonly Seen[],
  lane: 'query' | 'lookup',
): Promise<Activity> {
  const sessions = await listLateSessions(deps.records, contacts)
  const keys = sessions.map(({ key }) => key)
  const times = await readLastActivity(async (...question) => deps.facts[lane](...question), propertyId, keys)
  const own = Map.groupBy(sessions, (session) => session.contact_id)
  const latest = (of: readonly ContactSession[]) => Math.max(...of.map(({ key }) => times.get(keyText(key)) ?? 0))
  return new Map([...own].map(([id, of]) => [id, latest(of)]))
}

/**
 * While the facts are away people are still found, and what was stored is still said to be: nothing is known
 * then of what their sessions did. Other requests say loudly enough that the facts are away.
 * @param lane of the facts: `lookup` for what has to be known before something is stored.
 */
export async function readActivity(
  deps: SeenDeps,
  propertyId: string,
  contacts: readonly Seen[],
  lane: 'query' | 'lookup',
): Promise<Activity> {
  if (contacts.length === 0) return noActivity
  try {
    return await askActivity(deps, propertyId, contacts, lane)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'unavailable')) throw error
    deps.log.debug({ err: error }, 'contacts without the activity of their sessions')
    return noActivity
  }
}

/** The same contacts with last_seen_ms as it is to be shown. */
export async function withActivity(
  deps: SeenDeps,
  propertyId: string,
  contacts: readonly Contact[],
): Promise<Contact[]> {
  const activity = await readActivity(deps, propertyId, contacts, 'query')
  return contacts.map((contact) => ({
    ...contact,
    last_seen_ms: Math.max(contact.last_seen_ms, activity.get(contact.id) ?? 0),
  }))
}
