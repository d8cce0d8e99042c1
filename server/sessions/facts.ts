// What the events of sessions add up to: money and tags. What a session action needs of them is read before
// it writes, so that nothing can fail once money is stored; its own row is then added in memory.
import { dayOf, dayText, DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { gatherOf } from '../queues/gather.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { convertMinor, safeSum } from '../kernel/money.ts'
import type { Facts } from '../stores/facts.ts'
import type { EventRow } from '../stores/tables.ts'
import type { MoneyJson } from './schema.ts'
import type { Rates, RateTable } from '../rates/rates.ts'

/** A session as fact rows name it. */
export interface SessionKey {
  /** YYYY-MM-DD */
  readonly day: string
  /** The session hash in decimal. */
  readonly session: string
}

/** `money` is null while no amount was recorded; a currency may have been named without one. */
export interface SessionMoney {
  readonly currency: string | undefined
  readonly money: MoneyJson | null
}

/** What is stored of a session before an acquisition is added. */
export interface StoredAcquisitions {
  readonly money: readonly MoneyRow[]
  /** In the order in which they came. */
  readonly tags: readonly string[]
}

/** An order that a call refers to, as the money row of an earlier call names it. */
export interface OrderRef {
  readonly tag: string
  readonly orderId: string
}

/**
 * More than a session may have: calls at the same moment can exceed that a little, and what they stored is
 * known nevertheless.
 */
const MAX_READ_TAGS = 1000

export function sessionKey(session: SessionRef): SessionKey {
  return { day: dayText(session.day), session: session.hash.toString() }
}

/** The key of the maps below. */
export function keyText(key: SessionKey): string {
  return `${key.day}/${key.session}`
}

/**
 * The condition on rows of any table of facts for those of the sessions that bindSessions binds. The day is
 * named too because the tables are sorted by day first.
 */
export const ofSessions =
  'property = {property:String} AND day IN {days:Array(Date)} AND session IN {sessions:Array(UInt64)}'

export function bindSessions(propertyId: string, keys: readonly SessionKey[]): Readonly<Record<string, unknown>> {
  return {
    property: propertyId,
    days: [...new Set(keys.map((key) => key.day))],
    // As numbers: a quoted text is none to the store's parser of arrays.
    sessions: [...new Set(keys.map((key) => BigInt(key.session)))],
  }
}

/** Acquisition events of one session that share currency, day and amount: they are converted alike. */
export interface MoneyRow extends SessionKey {
  readonly currency: string
  /** Milliseconds of the event's day, and of the latest event. */
  readonly event_day: string
  readonly last_at: string
  readonly amount: string | null
  readonly events: string
  readonly usd: string
  /** The order whose money it is, if that was asked about, else ''. */
  readonly of_order: string
  /** The tags that came with the money of that order. */
  readonly order_tags: readonly string[]
}

type Query = Facts['query']

/** A session, with its property. */
export interface PropertySession extends SessionKey {
  readonly propertyId: string
}

/**
 * Acquisitions of sessions of several properties, each counted once: of two rows with one id the first one
 * stands. Not with FINAL, which would put together the rows of everybody before it looks for those of these
 * sessions. The lists are crossed, and what nobody asked for does no harm: a hash belongs to one property and
 * day.
 */
const rowsOfAll = `(
  SELECT e.day AS day, e.session AS session, e.at AS at, amount, amount_usd, currency, order_id, tags FROM events AS e
  WHERE property IN {properties:Array(String)} AND e.day IN {days:Array(Date)} AND kind = 'acquisition'
    AND name IN ('context', 'revenue', 'order_revenue') AND e.session IN {sessions:Array(UInt64)}
  ORDER BY e.at LIMIT 1 BY e.day, name, e.session, id
)`

/** For lists that are crossed: `properties`, `days` and `sessions`. */
export function bindAll(sessions: readonly PropertySession[]): Readonly<Record<string, unknown>> {
  const { property: _one, ...rest } = bindSessions('', sessions)
  return { ...rest, properties: [...new Set(sessions.map(({ propertyId }) => propertyId))] }
}

/**
 * Summed up in numbers wider than the column, so that many large amounts can not wrap round.
 * @param orderIds orders whose money is a row of its own; all other money is added up.
 */
async function listMoney(
  ask: Query,
  sessions: readonly PropertySession[],
  orderIds: readonly string[] = [],
): Promise<MoneyRow[]> {
  return ask<MoneyRow>(
    'sessions.listMoney',
    `SELECT toString(day) AS day, toString(session) AS session, toString(currency) AS currency,
  toUnixTimestamp(toStartOfDay(at)) * 1000 AS event_day, max(toUnixTimestamp64Milli(at)) AS last_at,
  amount, count() AS events, sum(toInt128(amount_usd)) AS usd,
  if(has({orderIds:Array(String)}, order_id), order_id, '') AS of_order, if(of_order = '', [], tags) AS order_tags
FROM ${rowsOfAll} WHERE currency != ''
GROUP BY day, session, currency, event_day, amount, of_order, order_tags`,
    { ...bindAll(sessions), orderIds },
  )
}

/**
 * Money of sessions that have any, by keyText. Each event is converted at the rate of its own day and rounded
 * by itself; the currency is the last one named (docs/definitions.md).
 */
export async function readMoney(
  { facts, rates }: Pick<Deps, 'facts'> & { readonly rates: Rates },
  propertyId: string,
  sessions: readonly SessionKey[],
): Promise<Map<string, SessionMoney>> {
  if (sessions.length === 0) return new Map()
  const ask: Query = (name, sql, params) => facts.query(name, sql, params)
  const theirs = sessions.map((key) => ({ ...key, propertyId }))
  const [rows, table] = await Promise.all([listMoney(ask, theirs), rates.table()])
  const grouped = Map.groupBy(rows, keyText)
  const found = sessions.flatMap((key) => {
    const own = grouped.get(keyText(key))
    return own ? [[keyText(key), addUp(own, table)] as const] : []
  })
  return new Map(found)
}

/**
 * Of two currencies named in the same millisecond the later one in the alphabet, as the fold of the sessions
 * table has it.
 */
function isLater(a: MoneyRow, b: MoneyRow): boolean {
  const difference = Number(a.last_at) - Number(b.last_at)
  return difference > 0 || (difference === 0 && a.currency > b.currency)
}

/** Of rows of one session, at least one. */
function lastCurrency(rows: readonly MoneyRow[]): string {
  return rows.reduce((last, row) => (isLater(row, last) ? row : last)).currency
}

function addUp(rows: readonly MoneyRow[], table: RateTable): SessionMoney {
  const currency = lastCurrency(rows)
  const paid = rows.filter((row) => row.amount !== null)
  if (paid.length === 0) return { currency, money: null }
  const amounts = paid.map((row) => {
    const at = Number(row.event_day)
    const from = table.at(row.currency, at)
    const to = table.at(currency, at)
    const each = from && to ? convertMinor(Number(row.amount), from, to) : Number(row.amount)
    return each * Number(row.events)
  })
  const usd = paid.map((row) => Number(row.usd))
  return { currency, money: { amount: safeSum(amounts), amount_usd: safeSum(usd), currency } }
}

/** The one named last; undefined while none was. */
export function currencyOf(money: readonly MoneyRow[]): string | undefined {
  return money.length > 0 ? lastCurrency(money) : undefined
}

/** The session's money once `rows`, which are not in `stored` yet, are. */
export function moneyWith(stored: StoredAcquisitions, rows: readonly EventRow[], table: RateTable): MoneyJson | null {
  const all = [...stored.money, ...rows.filter((row) => row.currency !== '').map(moneyRow)]
  return all.length > 0 ? addUp(all, table).money : null
}

function moneyRow(row: EventRow): MoneyRow {
  return {
    day: row.day,
    session: row.session,
    currency: row.currency,
    event_day: String(dayOf(row.at) * DAY_MS),
    last_at: String(row.at),
    amount: row.amount === null ? null : String(row.amount),
    events: '1',
    usd: String(row.amount_usd),
    of_order: '',
    order_tags: [],
  }
}

interface TagRow extends SessionKey {
  readonly tag: string
}

/** In the order in which they came. */
async function listTags(ask: Query, sessions: readonly PropertySession[]): Promise<TagRow[]> {
  return ask<TagRow>(
    'sessions.listTags',
    `SELECT toString(day) AS day, toString(session) AS session, tag FROM ${rowsOfAll} ARRAY JOIN tags AS tag, arrayEnumerate(tags) AS place
GROUP BY day, session, tag ORDER BY min((at, place)), tag LIMIT ${MAX_READ_TAGS} BY day, session`,
    bindAll(sessions),
  )
}

interface AskedSession extends PropertySession {
  readonly order: OrderRef | undefined
}

const askText = (asked: AskedSession): string => `${keyText(asked)} ${asked.order?.orderId ?? ''}`

/** The same session may be asked about with several orders; what is stored of it is read once. */
async function readAll(facts: Facts, asks: readonly AskedSession[]): Promise<Map<string, StoredAcquisitions>> {
  const sessions = asks.map(({ session }) => session)
  const ask: Query = (name, sql, params) => facts.lookup(name, sql, params, sessions)
  const orderIds = [...new Set(asks.flatMap(({ order }) => (order ? [order.orderId] : [])))]
  const [money, tags] = await Promise.all([listMoney(ask, asks, orderIds), listTags(ask, asks)])
  const moneyOf = Map.groupBy(money, keyText)
  const tagsOf = Map.groupBy(tags, keyText)
  return new Map(
    asks.map((asked) => {
      const key = keyText(asked)
      return [askText(asked), { money: moneyOf.get(key) ?? [], tags: (tagsOf.get(key) ?? []).map(({ tag }) => tag) }]
    }),
  )
}

/**
 * Visitors do not wait for each other: what is asked in one moment, for whatever property, is one question.
 */
const askAcquisitions = gatherOf<Facts, AskedSession, StoredAcquisitions>((facts) => ({
  groupOf: () => '',
  keyOf: askText,
  load: (asks) => readAll(facts, asks),
}))

/**
 * What an acquisition has to know of its session, on a reader that long questions can not occupy.
 * @throws Problem('unavailable') when the store does not answer.
 */
export async function readAcquisitions(
  { facts }: Pick<Deps, 'facts'>,
  propertyId: string,
  key: SessionKey,
  order: OrderRef | undefined,
): Promise<StoredAcquisitions> {
  return (await askAcquisitions(facts, { ...key, propertyId, order })) ?? { money: [], tags: [] }
}
