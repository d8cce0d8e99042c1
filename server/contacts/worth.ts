// What came of contacts: the value of their sessions, their orders, and where they came from first. Sessions
// that an owner marked as invalid count for nothing.
import { channelLabel } from '../enrich/enrich.ts'
import { dayFromText, dayText } from '../kernel/days.ts'
import { roundHalfAway } from '../kernel/money.ts'
import type { Property } from '../properties/properties.ts'
import { currencyOf, type Rates, toldIn } from '../rates/rates.ts'
import { keyText, type SessionKey } from '../sessions/sessions.ts'
import type { ContactReadDeps } from './contacts.ts'
import { findContactIds } from './records.ts'
import type { WorthJson } from './schema.ts'
import { listFirstLinks, listLatestLinks } from './session-records.ts'
import { readWorth, type SessionWorth } from './worth-facts.ts'

/** Of one contact: those that began last. Hardly anybody has as many. */
const MOST_SESSIONS = 1_000

type WorthDeps = Pick<ContactReadDeps, 'records' | 'facts'> & { readonly rates: Rates }

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
  { records, facts, rates }: WorthDeps,
  property: Pick<Property, 'id' | 'currency'>,
  ids: readonly string[],
): Promise<Record<string, WorthJson>> {
  const own = await findContactIds(records, property.id, ids)
  if (own.length === 0) return {}
  const money = await currencyOf({ rates }, property)
  const asked = own.map((contactId) => ({ contactId, fromTs: 0 }))
  const [latest, first] = await Promise.all([
    listLatestLinks(records, asked, MOST_SESSIONS),
    listFirstLinks(records, own),
  ])
  const worth = await readWorth(facts, property.id, [...latest, ...first].map(keyOf))
  const firstBy = new Map(first.map((link) => [link.contact_id, worth.get(keyText(keyOf(link)))]))
  return Object.fromEntries(
    own.map((id) => {
      const sessions = latest
        .filter((link) => link.contact_id === id)
        .flatMap((link) => worth.get(keyText(keyOf(link))) ?? [])
      const value = sessions.reduce(
        (sum, { day, value: cents }) => sum + cents * (money?.perCent(dayFromText(day)) ?? 1),
        0,
      )
      const orders = new Set(sessions.flatMap((session) => session.orders))
      return [
        id,
        {
          value_cents: roundHalfAway(value),
          currency: toldIn(money),
          orders: orders.size,
          first: firstOf(firstBy.get(id)),
        },
      ]
    }),
  )
}
