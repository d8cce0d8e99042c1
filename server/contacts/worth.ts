// What came of contacts: the value of their sessions, their orders, and where they came from first. Sessions
// that an owner marked as invalid count for nothing.
import { channelLabel } from '../enrich/enrich.ts'
import { dayText } from '../kernel/days.ts'
import { keyText, type SessionKey } from '../sessions/sessions.ts'
import type { ContactReadDeps } from './contacts.ts'
import { findContactIds } from './records.ts'
import type { WorthJson } from './schema.ts'
import { listFirstLinks, listLatestLinks } from './session-records.ts'
import { readWorth, type SessionWorth } from './worth-facts.ts'

/** Of one contact: those that began last. Hardly anybody has as many. */
const MOST_SESSIONS = 1_000

interface LinkRow {
  readonly contact_id: string
  readonly day: number
  readonly session: string
}

const keyOf = ({ day, session }: LinkRow): SessionKey => ({ day: dayText(day), session })

function firstOf(worth: SessionWorth | undefined): WorthJson['first'] {
  if (!worth || worth.channel === '') return null
  return { channel: worth.channel, channel_name: channelLabel(worth.channel), source: worth.source || null }
}

/**
 * By id. Unknown ones, and those of other properties, are left out. @param ids few enough for one statement.
 */
export async function readContactWorth(
  { records, facts }: Pick<ContactReadDeps, 'records' | 'facts'>,
  propertyId: string,
  ids: readonly string[],
): Promise<Record<string, WorthJson>> {
  const own = await findContactIds(records, propertyId, ids)
  if (own.length === 0) return {}
  const asked = own.map((contactId) => ({ contactId, fromTs: 0 }))
  const [latest, first] = await Promise.all([
    listLatestLinks(records, asked, MOST_SESSIONS),
    listFirstLinks(records, own),
  ])
  const worth = await readWorth(facts, propertyId, [...latest, ...first].map(keyOf))
  const firstBy = new Map(first.map((link) => [link.contact_id, worth.get(keyText(keyOf(link)))]))
  return Object.fromEntries(
    own.map((id) => {
      const sessions = latest
        .filter((link) => link.contact_id === id)
        .flatMap((link) => worth.get(keyText(keyOf(link))) ?? [])
      const value_cents = sessions.reduce((sum, { value }) => sum + value, 0)
      const orders = new Set(sessions.flatMap((session) => session.orders))
      return [id, { value_cents, orders: orders.size, first: firstOf(firstBy.get(id)) }]
    }),
  )
}
