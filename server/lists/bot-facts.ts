// Which programs came, over which networks, and what they looked at.
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { sameDays } from '../analytics/clause-sql.ts'
import { type Scope, sessionsOf } from '../analytics/facts.ts'

/** A site is visited by some dozens of programs that call themselves something. */
const SHOWN_NAMES = 100
const SHOWN_ROWS = 20

type Query = Pick<Facts, 'query' | 'hasMarks'>

interface NameRow {
  readonly name: string
  readonly kind: string
  readonly sessions: string
  readonly views: string
  readonly last_ms: string
}

export async function readNames(facts: Query, scope: Scope) {
  const where = await sessionsOf(facts, scope)
  const rows = await facts.query<NameRow>(
    'analytics.botNames',
    `SELECT bot_name AS name, bot_reason AS kind, count() AS sessions, sum(length(seconds)) AS views,
  max(toUnixTimestamp64Milli(last_at)) AS last_ms
FROM sessions FINAL WHERE ${where.sql} GROUP BY name, kind ORDER BY sessions DESC, views DESC, name, kind LIMIT ${SHOWN_NAMES}`,
    where.params,
  )
  return rows.map(({ name, kind, sessions, views, last_ms }) => ({
    name,
    kind,
    sessions: Number(sessions),
    views: Number(views),
    last_ts: Math.floor(Number(last_ms) / 1000),
  }))
}

export interface Listed {
  readonly id: string
  readonly value: string
}

/** By sessions. */
export async function readNetworks(facts: Query, scope: Scope): Promise<Listed[]> {
  const where = await sessionsOf(facts, scope)
  return facts.query<Listed>(
    'analytics.botNetworks',
    `SELECT network AS id, count() AS value FROM sessions FINAL WHERE ${where.sql} AND network != ''
GROUP BY id ORDER BY value DESC, id LIMIT ${SHOWN_ROWS}`,
    where.params,
  )
}

/** By views: a crawler has one session for a thousand pages. */
export async function readPages(facts: Query, scope: Scope): Promise<Listed[]> {
  const where = await sessionsOf(facts, scope)
  return facts.query<Listed>(
    'analytics.botPages',
    `SELECT path AS id, count() AS value FROM views FINAL
WHERE ${sameDays} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') AND (day, session) IN (SELECT day, session FROM sessions FINAL WHERE ${where.sql})
GROUP BY id ORDER BY value DESC, id LIMIT ${SHOWN_ROWS}`,
    where.params,
  )
}
