// Sessions that are linked to contacts, and which of them is the first one of each (docs/definitions.md,
// "Goals").
import type { Span } from '../kernel/window.ts'
import { contactRows, knownOf, type ScopeFacts, type SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { type Credit, type CreditScope, type FirstRow, metBySession } from './credit-sql.ts'

/**
 * Sessions that are found in one statement; another one names up to twice as many, those of before and of
 * today. The store takes 128 KiB of one parameter, in a URL 23 bytes for a session.
 */
export const MOST_NAMED = 2_800

export interface LinkedRow extends SessionKey {
  readonly contact: string
  readonly entry_ms: string
}

/**
 * Of people, and not marked as invalid.
 * @param span in which they began.
 * @param contacts of these alone.
 * @returns undefined when they are too many.
 */
export async function readLinked(
  facts: ScopeFacts & Pick<Facts, 'query'>,
  propertyId: string,
  span: Span,
  contacts?: readonly string[],
): Promise<LinkedRow[] | undefined> {
  const { sql, params } = contactRows(await knownOf(facts, propertyId, span))
  const whose = contacts ? 'AND contact_id IN {contacts:Array(String)}' : ''
  const rows = await facts.query<LinkedRow>(
    'analytics.goalLinked',
    `SELECT contact_id AS contact, day, session, toUnixTimestamp64Milli(entry_at) AS entry_ms FROM ${sql} ${whose} LIMIT ${MOST_NAMED + 1}`,
    { ...params, ...(contacts && { contacts }) },
  )
  return rows.length > MOST_NAMED ? undefined : rows
}

export const contactsOf = (rows: readonly LinkedRow[]): string[] =>
  [...new Set(rows.map(({ contact }) => contact))].toSorted()

/** Of two at one moment it is the one of the earlier day, then that of the smaller hash. */
function isBefore(one: LinkedRow, other: LinkedRow): boolean {
  if (one.entry_ms !== other.entry_ms) return Number(one.entry_ms) < Number(other.entry_ms)
  return one.day === other.day ? BigInt(one.session) < BigInt(other.session) : one.day < other.day
}

/** @param rows all sessions of their contacts. */
export function firstsAmong(rows: readonly LinkedRow[]): FirstRow[] {
  return [...Map.groupBy(rows, ({ contact }) => contact).values()].flatMap((own) => {
    const first = own.reduce((one, other) => (isBefore(other, one) ? other : one))
    return own.flatMap((row) =>
      row === first
        ? []
        : [{ seen_day: row.day, seen_session: row.session, first_day: first.day, first_session: first.session }],
    )
  })
}

/** What is credited to a session. */
export interface MetRow extends SessionKey {
  readonly hits: string
  readonly cents: number
}

/** The facts of these sessions that meet the goal, by session. */
export async function readMet(
  facts: Pick<Facts, 'query'>,
  scope: CreditScope,
  credit: Credit,
  keys: readonly SessionKey[],
): Promise<MetRow[]> {
  if (keys.length === 0) return []
  const { sql, params } = metBySession(scope, credit, keys)
  return facts.query<MetRow>('analytics.goalMet', sql, { ...params, property: scope.propertyId })
}
