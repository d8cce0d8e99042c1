// The links of a property that were clicked most in a window, for its overview.
import { factsOfScope, type TopAsk } from '../sessions/scope.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopLink {
  readonly id: string
  /** Of people. */
  readonly clicks: number
  /** Sessions that began through it. */
  readonly sessions: number
}

/** By clicks, of equal ones by id; also links that are out of use by now. */
export async function readTopLinks(facts: Pick<Facts, 'query'>, ask: TopAsk): Promise<TopLink[]> {
  const { sql, params } = ask.sessions
  const clicked = await facts.query<{ link: string; number: string }>(
    'links.topClicks',
    `SELECT link, count() AS number FROM clicks FINAL
WHERE day BETWEEN {day_from:Date} AND {day_to:Date} AND is_bot = 0 AND ${factsOfScope(ask)}
GROUP BY link ORDER BY number DESC, link LIMIT {limit:UInt32}`,
    { ...params, limit: ask.limit },
  )
  if (clicked.length === 0) return []
  const rows = await facts.query<{ through: string; arrived: string }>(
    'links.topArrivals',
    `SELECT link AS through, count() AS arrived FROM sessions FINAL
WHERE ${sql} AND notEmpty(clicked) AND link IN {links:Array(String)} GROUP BY through`,
    { ...params, links: clicked.map(({ link }) => link) },
  )
  const arrived = new Map(rows.map((row) => [row.through, Number(row.arrived)]))
  return clicked.map(({ link, number }) => ({ id: link, clicks: Number(number), sessions: arrived.get(link) ?? 0 }))
}
