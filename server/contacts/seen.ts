// When a contact was last seen: the last identification, or what its sessions did after it. The latter only the facts know.
import { DAY_MS, dayText } from '../kernel/days.ts'
import { type Deps } from '../kernel/deps.ts'
import { type Records } from '../stores/records.ts'
import { keyText, type SessionKey } from '../sessions/facts.ts'
import { type Contact } from './contact.ts'
import { readLastActivity } from './facts.ts'

/** The latest of all sessions asked about. A contact with more since its last identification is no person. */
const MAX_SESSIONS = 1_000

interface ContactSession {
  readonly contact_id: string
  readonly key: SessionKey
}

/** Sessions of its day and later ones may have gone on after the identification, and those carried over midnight. */
const lateFrom = (contact: Contact) => (Math.floor(contact.last_seen_ms / DAY_MS) - 1) * (DAY_MS / 1000)

/**
 * By contact alone, whose ids come from the property: with the property in the statement SQLite reads all of its links, by their
 * primary key. A session begins on its day, so that `entry_ts` says what `day` would, and is in the index.
 */
async function listLateSessions(records: Records, contacts: readonly Contact[]): Promise<ContactSession[]> {
  const rows = await records
    .selectFrom('contact_sessions')
    .select(['contact_id', 'day', 'session'])
    .where((of) =>
      of.or(
        contacts.map((contact) => of.and([of('contact_id', '=', contact.id), of('entry_ts', '>=', lateFrom(contact))])),
      ),
    )
    .orderBy('entry_ts', 'desc')
    .limit(MAX_SESSIONS)
    .execute()
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
