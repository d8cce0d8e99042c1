// When a contact was last seen: the last identification, or what its sessions did after it. The latter only the facts know.
import { DAY_MS, dayText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Records } from '../stores/records.ts'
import { keyText, type SessionKey } from '../sessions/facts.ts'
import type { Contact } from './contact.ts'
import { readLastActivity } from './facts.ts'
import { listLatestLinks } from './records.ts'

/**
 * Those of each contact that began last, so that one with thousands takes nothing from its neighbours on the page. A session that was
 * followed by as many others is not the one in which a person was seen last.
 */
const SESSIONS_EACH = 20

interface ContactSession {
  readonly contact_id: string
  readonly key: SessionKey
}

/** Sessions of its day and later ones may have gone on after the identification, and those carried over midnight. */
const lateFrom = (contact: Contact) => (Math.floor(contact.last_seen_ms / DAY_MS) - 1) * (DAY_MS / 1000)

/** A session begins on its day, so that `entry_ts` says what `day` would. */
async function listLateSessions(records: Records, contacts: readonly Contact[]): Promise<ContactSession[]> {
  const rows = await listLatestLinks(
    records,
    contacts.map((contact) => ({ contactId: contact.id, fromTs: lateFrom(contact) })),
    SESSIONS_EACH,
  )
  return rows.map((row) => ({ contact_id: row.contact_id, key: { day: dayText(row.day), session: row.session } }))
}

/** The same contacts with last_seen_ms as it is to be shown. */
export async function withActivity(
  deps: Pick<Deps, 'records' | 'facts'>,
  propertyId: string,
  contacts: readonly Contact[],
): Promise<Contact[]> {
  if (contacts.length === 0) return []
  const sessions = await listLateSessions(deps.records, contacts)
  const activity = await readLastActivity(
    deps.facts,
    propertyId,
    sessions.map(({ key }) => key),
  )
  const own = Map.groupBy(sessions, (session) => session.contact_id)
  return contacts.map((contact) => {
    const times = (own.get(contact.id) ?? []).map(({ key }) => activity.get(keyText(key)) ?? 0)
    return { ...contact, last_seen_ms: Math.max(contact.last_seen_ms, ...times) }
  })
}
