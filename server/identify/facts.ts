// What contacts ask the facts, and the one row that they write there: which session belongs to which contact
// id, and nothing else of a person.
import { hash } from 'node:crypto'
import { DAY_MS, dayFromText } from '../kernel/days.ts'
import { gatherOf } from '../queues/gather.ts'
import type { Facts } from '../stores/facts.ts'
import type { SessionLink } from './contact-sessions.ts'
import { factDefaults } from '../stores/fact-tables.ts'
import { type EventRow, NEVER_MS } from '../stores/tables.ts'
import {
  bindAll,
  bindSessions,
  keyText,
  ofSessions,
  type PropertySession,
  type SessionKey,
} from '../sessions/sessions.ts'

/** Between two queries: each costs milliseconds of the processor, for one session as for hundreds. */
const PACE_MS = 20

/**
 * When the sessions began. The lists are crossed, and what nobody asked for does no harm: a hash belongs to
 * one property and day. Without FINAL: the minimum is the fold.
 */
async function readEntries(facts: Facts, asks: readonly PropertySession[]): Promise<Map<string, number>> {
  const rows = await facts.lookup<SessionKey & { readonly entry_ms: string }>(
    'contacts.readEntries',
    `SELECT toString(s.day) AS day, toString(s.session) AS session, min(toUnixTimestamp64Milli(s.entry_at)) AS entry_ms
FROM sessions AS s
WHERE property IN {properties:Array(String)} AND s.day IN {days:Array(Date)} AND s.session IN {sessions:Array(UInt64)}
GROUP BY s.day, s.session`,
    bindAll(asks),
    asks.map(({ session }) => session),
  )
  return new Map(rows.map((row) => [keyText(row), Number(row.entry_ms)]))
}

/**
 * Visitors do not wait for each other: what is asked in one moment, for whatever property, is one question.
 */
const askEntry = gatherOf<Facts, PropertySession, number>((facts) => ({
  groupOf: () => '',
  keyOf: keyText,
  load: (asks) => readEntries(facts, asks),
  paceMs: PACE_MS,
}))

/** Of those of which anything is stored, by keyText. */
export async function readStored(
  facts: Pick<Facts, 'lookup'>,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await facts.lookup<SessionKey>(
    'contacts.readStored',
    `SELECT day, session FROM sessions WHERE ${ofSessions} GROUP BY day, session`,
    bindSessions(propertyId, keys),
    keys.map(({ session }) => session),
  )
  return new Set(rows.map(keyText))
}

/** When the session began, in milliseconds; undefined when no page view of it is stored. */
export async function readEntryMs(facts: Facts, propertyId: string, key: SessionKey): Promise<number | undefined> {
  const entryMs = (await askEntry(facts, { ...key, propertyId })) ?? NEVER_MS
  return entryMs < NEVER_MS ? entryMs : undefined
}

/** The last word about each session that has any, by keyText: odd for one that is invalid. */
export async function readMarks(
  facts: Pick<Facts, 'lookup'>,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await facts.lookup<SessionKey & { latest: string }>(
    'contacts.readMarks',
    `SELECT day, session, max(mark) AS latest FROM sessions WHERE ${ofSessions} GROUP BY day, session HAVING latest > 0`,
    bindSessions(propertyId, keys),
    keys.map(({ session }) => session),
  )
  return new Map(rows.map((row) => [keyText(row), Number(row.latest)]))
}

/** 00:00 UTC of its day: where a session began whose page views are not there any more. */
export function dayStartMs(key: SessionKey): number {
  return dayFromText(key.day) * DAY_MS
}

/** Last activity in milliseconds by keyText; sessions that are not stored are left out. */
export async function readLastActivity(
  ask: Facts['lookup'],
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
    keys.map(({ session }) => session),
  )
  return new Map(rows.map((row) => [keyText(row), Number(row.last_ms)]))
}

/** The same on every node and every try, so that the row of a link counts once. */
function identifyId(propertyId: string, key: SessionKey): string {
  return hash('sha256', JSON.stringify(['identify', propertyId, key.day, key.session]), 'buffer')
    .readBigUInt64BE()
    .toString()
}

/**
 * The facts keep the largest text: behind `~`, which no id has, and the count of its moves, the last contact
 * of
 * a session is larger than those before it.
 */
const contactText = ({ contact_id, moves }: Pick<SessionLink, 'contact_id' | 'moves'>): string =>
  moves === 0 ? contact_id : `~${String(moves).padStart(MOVE_DIGITS, '0')}~${contact_id}`

/** A session that is merged and unmerged once a second for a year. */
const MOVE_DIGITS = 8

/** The row of a link. It is no activity of the visitor. */
export function identifyRow({ property_id, key, ...link }: Omit<SessionLink, 'is_noted'>, atMs: number): EventRow {
  return {
    ...factDefaults.events,
    property: property_id,
    day: key.day,
    session: key.session,
    kind: 'identify',
    name: 'identify',
    id: identifyId(property_id, key),
    at: atMs,
    contact_id: contactText(link),
  }
}
