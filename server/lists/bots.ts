// Programs that came to the site, apart from everything else: how many, which, over which networks, and what
// they looked at.
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { parseInterval, bucketsOf } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  inputsOf,
  metaOf,
  parseInput,
  periodChoices,
  scopeOf,
  stopwatch,
} from '../analytics/question.ts'
import { sameDays } from '../analytics/clause-sql.ts'
import { readParts, type Scope, sessionsOf } from '../analytics/facts.ts'
import { intervalChoices } from '../analytics/graph.ts'
import { round, sumOf } from '../analytics/metrics.ts'

/** A site is visited by some dozens of programs that call themselves something. */
const SHOWN_NAMES = 100
const SHOWN_ROWS = 20

export interface BotsInput extends AnalyticsInput {
  readonly interval?: string | null | undefined
}

type Query = Pick<Facts, 'query' | 'hasMarks'>

interface NameRow {
  readonly name: string
  readonly kind: string
  readonly sessions: string
  readonly views: string
  readonly last_ms: string
}

async function readNames(facts: Query, scope: Scope) {
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

interface Listed {
  readonly id: string
  readonly value: string
}

/** By sessions. */
async function readNetworks(facts: Query, scope: Scope): Promise<Listed[]> {
  const where = await sessionsOf(facts, scope)
  return facts.query<Listed>(
    'analytics.botNetworks',
    `SELECT network AS id, count() AS value FROM sessions FINAL WHERE ${where.sql} AND network != ''
GROUP BY id ORDER BY value DESC, id LIMIT ${SHOWN_ROWS}`,
    where.params,
  )
}

/** By views: a crawler has one session for a thousand pages. */
async function readPages(facts: Query, scope: Scope): Promise<Listed[]> {
  const where = await sessionsOf(facts, scope)
  return facts.query<Listed>(
    'analytics.botPages',
    `SELECT path AS id, count() AS value FROM views FINAL
WHERE ${sameDays} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') AND (day, session) IN (SELECT day, session FROM sessions FINAL WHERE ${where.sql})
GROUP BY id ORDER BY value DESC, id LIMIT ${SHOWN_ROWS}`,
    where.params,
  )
}

/** @param whole of which each row is a share. */
const shown = (rows: readonly Listed[], whole: number) =>
  rows.map(({ id, value }) => {
    const count = Number(value)
    return { id, label: id, value: count, percent: whole === 0 ? 0 : round(count / whole, 4) }
  })

/** @throws Problem('validation_failed') for what cannot be asked. */
export async function answerBots(deps: Pick<AnalyticsDeps, 'facts' | 'now'>, property: Property, ask: BotsInput) {
  const elapsed = stopwatch()
  const question = parseInput(deps, property, ask)
  const { window } = question
  const interval = parseInterval(ask.interval, window)
  const buckets = bucketsOf(window, interval)
  const scope: Scope = { ...scopeOf(question), ofBots: true }
  const edges = buckets.map(({ fromMs }) => fromMs)
  const [parts, names, networks, pages] = await Promise.all([
    readParts(deps.facts, scope, { name: 'analytics.bots', edges, figures: ['sessions', 'views'] }),
    readNames(deps.facts, scope),
    readNetworks(deps.facts, scope),
    readPages(deps.facts, scope),
  ])
  const { sessions, views } = sumOf(parts)
  return {
    inputs: { ...inputsOf(question, ask), interval },
    meta: metaOf(window.showing, question.clauses, elapsed),
    options: { periods: periodChoices, intervals: intervalChoices(window) },
    total: sessions,
    views,
    series: buckets.map(({ label, fromMs, toMs }, index) => ({
      label,
      from_ts: Math.floor(fromMs / 1000),
      to_ts: Math.floor(toMs / 1000),
      sessions: parts[index]?.sessions ?? 0,
      views: parts[index]?.views ?? 0,
    })),
    names,
    pages: shown(pages, views),
    networks: shown(networks, sessions),
  }
}
