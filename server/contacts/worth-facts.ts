// What the facts know of the money and the origin of sessions that are linked to contacts.
import { bindSessions, keyText, ofSessions, type SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { renamedColumns } from '../stores/session-columns.ts'

export interface SessionWorth extends SessionKey {
  /** US cents. */
  readonly value: number
  /** '' where nothing is known. */
  readonly channel: string
  readonly source: string
  readonly orders: readonly string[]
}

const columns = renamedColumns({
  day: 'day',
  session: 'session',
  value: 'value_usd_sum',
  channel: 'entry_channel',
  source: 'entry_source',
})

type Row = Omit<SessionWorth, 'value' | 'orders'> & { readonly value: string }

/** By keyText. A session that retention has taken away is not there. */
export async function readWorth(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, SessionWorth>> {
  if (keys.length === 0) return new Map()
  const bound = bindSessions(propertyId, keys)
  const [sessions, orders] = await Promise.all([
    facts.query<Row>('contacts.readWorth', `SELECT ${columns} FROM sessions FINAL WHERE ${ofSessions}`, bound),
    facts.query<SessionKey & { readonly orders: readonly string[] }>(
      'contacts.readOrders',
      `SELECT day, session, groupUniqArray(order_id) AS orders FROM events FINAL
WHERE ${ofSessions} AND kind = 'acquisition' AND order_id != '' GROUP BY day, session`,
      bound,
    ),
  ])
  const byKey = new Map(orders.map((row) => [keyText(row), row.orders]))
  return new Map(
    sessions.map((row) => {
      const key = keyText(row)
      return [key, { ...row, value: Number(row.value), orders: byKey.get(key) ?? [] }]
    }),
  )
}
