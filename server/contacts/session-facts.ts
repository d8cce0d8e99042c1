// What the facts know of the sessions that stand on one page of a contact's list.
import { bindSessions, keyText, ofSessions, type SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { renamedColumns } from '../stores/session-columns.ts'
import { NEVER_MS } from '../stores/tables.ts'

/** Texts are '' where nothing is known. */
export interface SessionFacts extends SessionKey {
  readonly last_ms: string
  readonly views: string
  readonly bounced: number
  readonly entry_url: string
  readonly exit_url: string
  readonly channel: string
  readonly source: string
  readonly country: string
  readonly city: string
  readonly device: string
  readonly is_invalid: number
}

type SessionColumns = Omit<SessionFacts, 'exit_url'>

const columns = renamedColumns({
  day: 'day',
  session: 'session',
  last_ms: 'last_ms',
  views: 'view_count',
  bounced: 'bounced',
  entry_url: 'entry_url',
  channel: 'entry_channel',
  source: 'entry_source',
  country: 'country',
  city: 'city',
  device: 'device',
  is_invalid: 'is_invalid',
})

function listSessions(facts: Facts, propertyId: string, keys: readonly SessionKey[]): Promise<SessionColumns[]> {
  return facts.query<SessionColumns>(
    'contacts.listSessions',
    `SELECT ${columns} FROM sessions FINAL WHERE ${ofSessions}`,
    bindSessions(propertyId, keys),
  )
}

/**
 * The sessions keep the path of the last view alone. A view of which only pings came has no time of its own
 * yet.
 */
async function readExitUrls(
  facts: Facts,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, string>> {
  const rows = await facts.query<SessionKey & { readonly exit_url: string }>(
    'contacts.readExitUrls',
    `SELECT day, session, argMaxIf(url, (at, view), at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')) AS exit_url
FROM views FINAL WHERE ${ofSessions} GROUP BY day, session`,
    bindSessions(propertyId, keys),
  )
  return new Map(rows.map((row) => [keyText(row), row.exit_url]))
}

/** By keyText. A session that retention has taken away is not there. */
export async function readSessionFacts(
  facts: Facts,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, SessionFacts>> {
  if (keys.length === 0) return new Map()
  const [sessions, exits] = await Promise.all([
    listSessions(facts, propertyId, keys),
    readExitUrls(facts, propertyId, keys),
  ])
  return new Map(sessions.map((row) => [keyText(row), { ...row, exit_url: exits.get(keyText(row)) ?? '' }]))
}
