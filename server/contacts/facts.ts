// What contacts ask the facts, and the one row that they write there: which session belongs to which contact id, and nothing else of a person.
import { hash } from 'node:crypto'
import { DAY_MS, dayFromText } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { factDefaults } from '../stores/fact-defaults.ts'
import { type EventRow, NEVER_MS } from '../stores/tables.ts'
import { keyText, type SessionKey } from '../sessions/facts.ts'

/** When the session began, in milliseconds; undefined when no page view of it is stored. Without FINAL: the minimum is the fold. */
export async function readEntryMs(facts: Facts, propertyId: string, key: SessionKey): Promise<number | undefined> {
  const rows = await facts.lookup<{ entry_ms: string }>(
    'contacts.readEntryMs',
    `SELECT min(toUnixTimestamp64Milli(s.entry_at)) AS entry_ms FROM sessions AS s
WHERE property = {property:String} AND s.day = {day:Date} AND s.session = {session:UInt64} HAVING count() > 0`,
    { property: propertyId, day: key.day, session: key.session },
  )
  const entryMs = Number(rows[0]?.entry_ms ?? NEVER_MS)
  return entryMs < NEVER_MS ? entryMs : undefined
}

/** 00:00 UTC of its day: where a session began whose page views are not there any more. */
export function dayStartMs(key: SessionKey): number {
  return dayFromText(key.day) * DAY_MS
}

/** Last activity in milliseconds by keyText; sessions that are not stored are left out. */
export async function readLastActivity(
  ask: Facts['query'],
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await ask<SessionKey & { last_ms: string }>(
    'contacts.readLastActivity',
    `SELECT toString(s.day) AS day, toString(s.session) AS session, max(toUnixTimestamp64Milli(s.last_at)) AS last_ms
FROM sessions AS s
WHERE property = {property:String} AND s.day IN {days:Array(Date)} AND s.session IN {sessions:Array(UInt64)}
GROUP BY s.day, s.session`,
    {
      property: propertyId,
      days: [...new Set(keys.map((key) => key.day))],
      // As numbers: a quoted text is none to the store's parser of arrays.
      sessions: [...new Set(keys.map((key) => BigInt(key.session)))],
    },
  )
  return new Map(rows.map((row) => [keyText(row), Number(row.last_ms)]))
}

/** The same on every node and every try, so that the row of a link counts once. */
function identifyId(propertyId: string, key: SessionKey): string {
  return hash('sha256', JSON.stringify(['identify', propertyId, key.day, key.session]), 'buffer')
    .readBigUInt64BE()
    .toString()
}

/** The row of a link. It is no activity of the visitor. */
export function identifyRow(propertyId: string, key: SessionKey, contactId: string, atMs: number): EventRow {
  return {
    ...factDefaults.events,
    property: propertyId,
    day: key.day,
    session: key.session,
    kind: 'identify',
    name: 'identify',
    id: identifyId(propertyId, key),
    at: atMs,
    contact_id: contactId,
  }
}
