// The most clicked links of a property in a window, for its overview.
import { factsOf, type TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopLink {
  readonly id: string
  /** Of people. */
  readonly clicks: number
  /** Sessions that began through it. */
  readonly sessions: number
}

type Query = Pick<Facts, 'query'>
type Counts = readonly { readonly id: string; readonly number: number }[]

async function readClicks(facts: Query, ask: TopQuery): Promise<Counts> {
  const { sql, params } = factsOf('clicks', ask)
  const rows = await facts.query<{ link: string; number: string }>(
    'links.topClicks',
    `SELECT link, count() AS number FROM clicks FINAL
WHERE day BETWEEN {first_day:Date} AND {last_day:Date} AND is_bot = 0 AND ${sql}
GROUP BY link ORDER BY number DESC, link LIMIT {limit:UInt32}`,
    params,
  )
  return rows.map(({ link, number }) => ({ id: link, number: Number(number) }))
}

/** @param links limits the query to these; undefined: those with the most sessions. */
async function readArrivals(facts: Query, ask: TopQuery, links?: readonly string[]): Promise<Counts> {
  const { sql, params } = ask.sessions
  const rows = await facts.query<{ through: string; number: string }>(
    'links.topArrivals',
    `SELECT entry_link AS through, count() AS number FROM ${sql} AND ${links ? 'entry_link IN {links:Array(String)}' : "entry_link != ''"}
GROUP BY through ORDER BY number DESC, through LIMIT {limit:UInt32}`,
    { ...params, limit: ask.limit, ...(links && { links }) },
  )
  return rows.map(({ through, number }) => ({ id: through, number: Number(number) }))
}

const joined = (clicks: Counts, arrivals: Counts, ids: readonly string[]): TopLink[] => {
  const [clicked, arrived] = [clicks, arrivals].map((rows) => new Map(rows.map(({ id, number }) => [id, number])))
  return ids.map((id) => ({ id, clicks: clicked?.get(id) ?? 0, sessions: arrived?.get(id) ?? 0 }))
}

/** Ordered by clicks, then by id; includes deleted links. */
export async function readTopLinks(facts: Query, ask: TopQuery): Promise<TopLink[]> {
  const clicks = await readClicks(facts, ask)
  const ids = clicks.map(({ id }) => id)
  return ids.length === 0 ? [] : joined(clicks, await readArrivals(facts, ask, ids), ids)
}

/** Every link with clicks or sessions, in no order; `limit` of them when there are more. */
export async function readLinkCounts(facts: Query, ask: TopQuery): Promise<TopLink[]> {
  const [clicks, arrivals] = await Promise.all([readClicks(facts, ask), readArrivals(facts, ask)])
  const ids = [...new Set([...clicks, ...arrivals].map(({ id }) => id))]
  return joined(clicks, arrivals, ids.slice(0, ask.limit))
}
