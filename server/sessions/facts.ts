// What the events of sessions add up to: money and tags, read after the write so that an answer never shows less than what is stored.
import { dayText } from '../kernel/days.ts'
import { type Deps } from '../kernel/deps.ts'
import { type SessionRef } from '../kernel/ids.ts'
import { convertMinor } from '../kernel/money.ts'
import { type Rates, type RateTable } from './rates.ts'

/** A session as fact rows name it. */
export interface SessionKey {
  /** YYYY-MM-DD */
  readonly day: string
  /** The session hash in decimal. */
  readonly session: string
}

/** Both amounts in whole minor units. */
export interface Money {
  readonly amount: number
  readonly amount_usd: number
  readonly currency: string
}

/** `money` is null while no amount was recorded; a currency may have been named without one. */
export interface SessionMoney {
  readonly currency: string | undefined
  readonly money: Money | null
}

/** More tags than anybody reads; those beyond are stored and not listed. */
const MAX_LISTED_TAGS = 1000

export function sessionKey(session: SessionRef): SessionKey {
  return { day: dayText(session.day), session: session.hash.toString() }
}

/** The key of the maps below. */
export function keyText(key: SessionKey): string {
  return `${key.day}/${key.session}`
}

/** Acquisition events of one session that share currency, day and amount: they are converted alike. */
interface MoneyRow extends SessionKey {
  readonly currency: string
  /** Milliseconds of the event's day, and of the latest event. */
  readonly event_day: string
  readonly last_at: string
  readonly amount: string | null
  readonly events: string
  readonly usd: string
}

/**
 * Money of sessions that have any, by keyText. Each event is converted at the rate of its own day and rounded by itself;
 * the currency is the last one named (docs/definitions.md).
 */
export async function readMoney(
  { facts, rates }: Pick<Deps, 'facts'> & { readonly rates: Rates },
  propertyId: string,
  sessions: readonly SessionKey[],
): Promise<Map<string, SessionMoney>> {
  if (sessions.length === 0) return new Map()
  const [rows, table] = await Promise.all([
    facts.query<MoneyRow>(
      'sessions.readMoney',
      `SELECT toString(day) AS day, toString(session) AS session, toString(currency) AS currency,
  toUnixTimestamp(toStartOfDay(e.at)) * 1000 AS event_day, max(toUnixTimestamp64Milli(e.at)) AS last_at,
  amount, count() AS events, sum(amount_usd) AS usd
FROM events AS e FINAL
WHERE property = {property:String} AND e.day IN {days:Array(Date)} AND kind = 'acquisition'
  AND e.session IN {sessions:Array(UInt64)} AND currency != ''
GROUP BY day, session, currency, event_day, amount`,
      {
        property: propertyId,
        days: [...new Set(sessions.map((key) => key.day))],
        // As numbers: a quoted text is none to the store's parser of arrays.
        sessions: [...new Set(sessions.map((key) => BigInt(key.session)))],
      },
    ),
    rates.table(),
  ])
  const grouped = Map.groupBy(rows, keyText)
  const found = sessions.flatMap((key) => {
    const own = grouped.get(keyText(key))
    return own ? [[keyText(key), addUp(own, table)] as const] : []
  })
  return new Map(found)
}

/** Of two currencies named in the same millisecond the later one in the alphabet, as the fold of the sessions table has it. */
function isLater(a: MoneyRow, b: MoneyRow): boolean {
  const difference = Number(a.last_at) - Number(b.last_at)
  return difference > 0 || (difference === 0 && a.currency > b.currency)
}

function addUp(rows: readonly MoneyRow[], table: RateTable): SessionMoney {
  const { currency } = rows.reduce((last, row) => (isLater(row, last) ? row : last))
  const paid = rows.filter((row) => row.amount !== null)
  if (paid.length === 0) return { currency, money: null }
  let amount = 0
  let usd = 0
  for (const row of paid) {
    const at = Number(row.event_day)
    const from = table.at(row.currency, at)
    const to = table.at(currency, at)
    const each = from && to ? convertMinor(Number(row.amount), from, to) : Number(row.amount)
    amount += each * Number(row.events)
    usd += Number(row.usd)
  }
  return { currency, money: { amount, amount_usd: usd, currency } }
}

/** Tags of a session in the order in which they came. */
export async function listTags({ facts }: Pick<Deps, 'facts'>, propertyId: string, key: SessionKey): Promise<string[]> {
  const rows = await facts.query<{ tag: string }>(
    'sessions.listTags',
    `SELECT tag FROM (
  SELECT e.at AS at, tags FROM events AS e FINAL
  WHERE property = {property:String} AND e.day = {day:Date} AND kind = 'acquisition' AND e.session = {session:UInt64} AND notEmpty(tags)
) ARRAY JOIN tags AS tag, arrayEnumerate(tags) AS place
GROUP BY tag ORDER BY min((at, place)), tag LIMIT ${MAX_LISTED_TAGS}`,
    { property: propertyId, day: key.day, session: key.session },
  )
  return rows.map((row) => row.tag)
}
