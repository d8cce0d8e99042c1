// Queries about clicks: how many a link has, pages of them, one of them, and their outcomes. They read the
// facts, so a click counts as soon as it is stored. FINAL: a repeated row is one click.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { DayCount } from '../kernel/page.ts'
import type { Span } from '../kernel/window.ts'
import { ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { ClickRow } from '../stores/tables.ts'

/** The column of the link, or of the group. */
export type ClickOwner = 'link' | 'link_group'

export interface ClickFilter {
  readonly linkId?: string | undefined
  readonly groupId?: string | undefined
  /** Unix seconds, both included. */
  readonly fromTs?: number | undefined
  readonly toTs?: number | undefined
  readonly type?: 'user' | 'bot' | undefined
}

/** A click within its property. */
export interface ClickKey {
  /** YYYY-MM-DD, the UTC day of the click. */
  readonly day: string
  /** Unsigned 64-bit, decimal. */
  readonly id: string
}

/** As it is answered: `at` in milliseconds. */
export type StoredClick = ClickKey &
  Pick<
    ClickRow,
    | 'link'
    | 'link_group'
    | 'destination'
    | 'referrer_url'
    | 'referrer_domain'
    | 'country'
    | 'country_code'
    | 'region'
    | 'city'
    | 'device'
    | 'browser'
    | 'os'
    | 'is_bot'
    | 'bot_name'
    | 'bot_reason'
    | 'count'
    | 'rule'
    | 'is_scan'
  > & { readonly at_ms: string }

interface Fragment {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The links, or the groups, whose clicks are counted. */
export interface ClickOwners {
  readonly by: ClickOwner
  readonly ids: readonly string[]
  /** The groups of the links. Clicks are sorted by group first, so that no others need to be read. */
  readonly groups?: readonly string[]
}

/** Clicks of people by link or group; an id without any has 0. */
export async function countClicks(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  propertyId: string,
  { by, ids, groups = [] }: ClickOwners,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const within = groups.length > 0 ? ' AND link_group IN {groups:Array(String)}' : ''
  const rows = await facts.query<{ owner: string; clicks: string }>(
    'links.countClicks',
    `SELECT ${by} AS owner, count() AS clicks FROM clicks FINAL
WHERE property = {property:String}${within} AND ${by} IN {ids:Array(String)} AND is_bot = 0
  AND ${ofValidSession(await facts.hasMarks(propertyId), 'session_day')} GROUP BY ${by}`,
    { property: propertyId, ids: [...new Set(ids)], groups: [...new Set(groups)] },
  )
  const counted = new Map(rows.map((row) => [row.owner, Number(row.clicks)]))
  return new Map(ids.map((id) => [id, counted.get(id) ?? 0]))
}

// ---------------------------------------------------------------- the list

/** Only the conditions that are needed, so that a query reads no further columns. */
function clicksOf(propertyId: string, filter: ClickFilter): Fragment {
  const conditions = ['property = {property:String}']
  const params: Record<string, unknown> = { property: propertyId }
  const add = (name: string, value: unknown, ...sql: readonly string[]) => {
    if (value === undefined) return
    conditions.push(...sql)
    params[name] = value
  }
  const dayOfTs = (ts: number | undefined) => (ts === undefined ? undefined : storedDay(dayOf(ts * 1000)))
  const second = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`
  const { linkId, groupId, fromTs, toTs, type } = filter
  add('group', groupId, 'link_group = {group:String}')
  add('link', linkId, 'link = {link:String}')
  add('day_from', dayOfTs(fromTs), 'day >= {day_from:Date}')
  add('day_to', dayOfTs(toTs), 'day <= {day_to:Date}')
  add('from_ms', fromTs === undefined ? undefined : fromTs * 1000, `at >= ${second('from_ms')}`)
  // The last second is included.
  add('to_ms', toTs === undefined ? undefined : (toTs + 1) * 1000, `at < ${second('to_ms')}`)
  add('bot', type === undefined ? undefined : Number(type === 'bot'), 'is_bot = {bot:UInt8}')
  return { sql: conditions.join(' AND '), params }
}

/** Clicks by day, the latest day first: the length of the list, and the position of each day in it. */
export async function countClickDays(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  filter: ClickFilter,
): Promise<DayCount[]> {
  const where = clicksOf(propertyId, filter)
  const rows = await facts.query<{ day: string; clicks: string }>(
    'links.countClickDays',
    `SELECT day, count() AS clicks FROM clicks FINAL WHERE ${where.sql} GROUP BY day ORDER BY day DESC`,
    where.params,
  )
  return rows.map((row) => ({ day: row.day, count: Number(row.clicks) }))
}

const shownColumns = `day, id, toUnixTimestamp64Milli(at) AS at_ms, link, link_group, destination,
  referrer_url, referrer_domain, country, country_code, region, city, device, browser, os, is_bot, bot_name, bot_reason, count, rule, is_scan`

const inOrder = 'ORDER BY at DESC, id'

/**
 * One page, the latest click first, clicks of one millisecond by id. The page is found by time and id alone:
 * only its own rows are read in full.
 */
export async function listClicks(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  filter: ClickFilter,
  page: { readonly days: readonly string[]; readonly offset: number; readonly limit: number },
): Promise<StoredClick[]> {
  if (page.days.length === 0) return []
  const where = clicksOf(propertyId, filter)
  const keys = await facts.query<ClickKey & Pick<ClickRow, 'link' | 'link_group'>>(
    'links.listClickKeys',
    `SELECT day, id, link, link_group FROM clicks FINAL WHERE ${where.sql} AND day IN {days:Array(Date)}
${inOrder} LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    { ...where.params, ...page },
  )
  if (keys.length === 0) return []
  const distinct = (values: readonly string[]) => [...new Set(values)]
  return facts.query<StoredClick>(
    'links.listClicks',
    `SELECT ${shownColumns} FROM clicks FINAL
WHERE property = {property:String} AND link_group IN {groups:Array(String)} AND link IN {links:Array(String)}
  AND day IN {days:Array(Date)} AND id IN {ids:Array(UInt64)} ${inOrder}`,
    {
      property: propertyId,
      groups: distinct(keys.map((key) => key.link_group)),
      links: distinct(keys.map((key) => key.link)),
      days: distinct(keys.map((key) => key.day)),
      // As numbers: the store does not parse quoted texts in arrays of numbers.
      ids: keys.map((key) => BigInt(key.id)),
    },
  )
}

export async function findStoredClick(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  key: ClickKey,
): Promise<StoredClick | undefined> {
  const rows = await facts.query<StoredClick>(
    'links.findClick',
    `SELECT ${shownColumns} FROM clicks FINAL
WHERE property = {property:String} AND day = {day:Date} AND id = {id:UInt64} LIMIT 1`,
    { property: propertyId, day: key.day, id: BigInt(key.id) },
  )
  return rows[0]
}

// ---------------------------------------------------------------- the figures of a window

/** A link with all groups that it was in, or a whole group. */
export type Owner = Pick<ClickFilter, 'linkId'> & { readonly groupIds: readonly string[] }

/** Clicks of a window. */
export interface ClickFigures {
  /** Of people. */
  readonly clicks: number
  /** People, each once a day. */
  readonly visitors: number
  /** Clicks of bots by the reason of the verdict. */
  readonly bots: Readonly<Record<string, number>>
}

/** No window starts before 1970; one may end after the last day that the facts can hold. */
export function daysOf(span: Span): { day_from: string; day_to: string } {
  const day = (timeMs: number) => storedDay(dayOf(timeMs))
  return { day_from: day(span.fromMs), day_to: day(span.toMs - 1) }
}

export const isWithin = (column: string) =>
  `${column} >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND ${column} < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')`

function ofOwner(propertyId: string, { linkId, groupIds }: Owner, span: Span): Fragment {
  const link = linkId === undefined ? '' : ' AND link = {link:String}'
  return {
    sql: `property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date} AND link_group IN {groups:Array(String)}${link}`,
    params: {
      property: propertyId,
      groups: groupIds,
      ...(linkId !== undefined && { link: linkId }),
      ...daysOf(span),
      from_ms: span.fromMs,
      to_ms: span.toMs,
    },
  }
}

export async function readClickFigures(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  propertyId: string,
  owner: Owner,
  span: Span,
): Promise<ClickFigures> {
  const where = ofOwner(propertyId, owner, span)
  const isValid = ofValidSession(await facts.hasMarks(propertyId), 'session_day')
  const rows = await facts.query<{ is_bot: number; reason: string; clicks: string; visitors: string }>(
    'links.readClickFigures',
    `SELECT is_bot, bot_reason AS reason, sum(count) AS clicks, uniqExactIf((session_day, session), is_bot = 0) AS visitors
FROM clicks FINAL WHERE ${where.sql} AND ${isWithin('at')} AND (is_bot = 1 OR ${isValid})
GROUP BY is_bot, reason ORDER BY clicks DESC, reason`,
    where.params,
  )
  const people = rows.find((row) => row.is_bot === 0)
  const bots = rows.filter((row) => row.is_bot === 1).map((row) => [row.reason, Number(row.clicks)] as const)
  return {
    clicks: Number(people?.clicks ?? 0),
    visitors: Number(people?.visitors ?? 0),
    bots: Object.fromEntries(bots),
  }
}
