// When sessions began, and through which links they and their later visits came: of settled days as they are
// counted with their copies (stores/session-sums.ts), of others from their sessions.
import { laterVisitRows, summedDays, type Sums } from '../sessions/sessions.ts'
import { countedLists, QUARTER_SECONDS, quarterSql } from '../stores/session-sums.ts'
import type { Fragment } from './clause-sql.ts'
import { laterVisitsOf, type RowFacts, rowsOf, type Scope } from './facts.ts'
import { everybody, sumsOf } from './summed.ts'
import { readArrived } from './tops-facts.ts'
import { type CountedValues, readValues } from './values-facts.ts'

type List = keyof typeof countedLists

/** @param own SELECT of `value` and `number`, of what no sum has. */
const withSums = (own: Fragment, sums: Sums | undefined, list: List): Fragment =>
  sums
    ? {
        sql: sums.joined(
          own.sql,
          `SELECT value, sessions AS number FROM ${sums.sql('settled_values', ['value', 'sessions'], `AND list = '${countedLists[list]}'`)}`,
        ),
        params: { ...own.params, ...sums.params },
      }
    : own

/** What sessions are counted by, and the columns that it takes. */
const sources = {
  starts: { value: `toString(${quarterSql})`, columns: ['entry_at'] },
  arrivals: { value: 'toString(entry_link)', columns: ['day', 'session', 'entry_link'] },
} as const

async function sessionsBy(
  facts: RowFacts,
  scope: Scope,
  list: keyof typeof sources,
  sums: Sums | undefined,
): Promise<Fragment> {
  const { value, columns } = sources[list]
  const { sql, params } = sums?.rows ?? (await rowsOf(facts, scope, columns))
  return withSums({ sql: `SELECT ${value} AS value, count() AS number FROM ${sql} GROUP BY value`, params }, sums, list)
}

/** Sessions that began within so many seconds from a time on. */
export interface StartCount {
  readonly fromMs: number
  readonly sessions: number
}

/** When sessions of the scope began. @param seconds a number of whole quarters of an hour. */
export async function readStarts(facts: RowFacts, scope: Scope, seconds: number): Promise<StartCount[]> {
  const { sql, params } = await sessionsBy(facts, scope, 'starts', await sumsOf(facts, scope, sources.starts.columns))
  const rows = await facts.query<{ step: number; sessions: string }>(
    'analytics.starts',
    `SELECT intDiv(toUInt32(value) * ${QUARTER_SECONDS}, {seconds:UInt32}) AS step, sum(number) AS sessions FROM (${sql}) GROUP BY step ORDER BY step`,
    { ...params, seconds },
  )
  return rows.map(({ step, sessions }) => ({ fromMs: step * seconds * 1000, sessions: Number(sessions) }))
}

async function summedCounts(facts: RowFacts, scope: Scope, sums: Sums, list: List) {
  const values = await readValues(facts, scope, sums)
  return values?.(countedLists[list])
}

/** Undefined where there may be others. */
function allOf(counted: CountedValues | undefined) {
  if (!counted?.isWhole) return undefined
  return { all: counted.rows.map(({ value, sessions }) => ({ id: value, number: sessions })) }
}

/**
 * SELECT of `value`, the link or '', and `number` of sessions; of one there may be several rows. Or `all`
 * links, where they are read with other values: the largest number first, equal ones by their id.
 */
export async function arrivalsOf(facts: RowFacts, scope: Scope) {
  const sums = await sumsOf(facts, scope, sources.arrivals.columns)
  const counted = sums ? await summedCounts(facts, scope, sums, 'arrivals') : await readArrived(facts, scope)
  return allOf(counted) ?? sessionsBy(facts, scope, 'arrivals', sums)
}

/** The same of visits after the first one of each session. */
export async function returnsOf(facts: RowFacts, scope: Scope) {
  const query = await everybody(facts, scope, ['day', 'session'])
  const sums = query && summedDays(query, () => true)
  const known = sums && allOf(await summedCounts(facts, scope, sums, 'returns'))
  if (known) return known
  const visits =
    query && sums
      ? laterVisitRows(['entry_link'], { ...query, isLinked: true, without: new Set(sums.days) })
      : await laterVisitsOf(facts, scope, ['entry_link'], { isLinked: true })
  const own = `SELECT toString(entry_link) AS value, count() AS number FROM ${visits.sql} GROUP BY value`
  return withSums({ sql: own, params: visits.params }, sums, 'returns')
}
