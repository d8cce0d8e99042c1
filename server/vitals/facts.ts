// How fast pages were, from the facts: of all, by device and by page, for sessions of people alone.
import { sameDays } from '../analytics/clause-sql.ts'
import { type Scope, sessionsOf } from '../analytics/facts.ts'
import type { Facts } from '../stores/facts.ts'
import { type Vital, vitals } from '../kernel/vitals.ts'
import { scales } from './vitals-model.ts'

type Query = Pick<Facts, 'query' | 'hasMarks'>

/** As stored; none of them counts where nothing was measured. */
export interface Spread {
  readonly count: number
  readonly p75: number
  readonly good: number
  readonly poor: number
}

export interface SpeedRow extends Readonly<Record<Vital, Spread>> {
  /** Device or path. */
  readonly key: string
  /** Page views of which anything was measured. */
  readonly loads: number
}

/** What rows are of. */
const keys = { all: "''", device: 'device', path: 'path' } as const

/**
 * Three quarters of the page views were at least as fast: of n values in order, the one at ⌊0.75 · n⌋ + 1.
 */
const P75 = 'quantileExactIf(0.75)'

const spreadSql = (name: Vital): string => {
  const { good, poor } = scales[name]
  return `countIf(${name} >= 0) AS ${name}_count, ${P75}(${name}, ${name} >= 0) AS ${name}_p75,
  countIf(${name} BETWEEN 0 AND ${good}) AS ${name}_good, countIf(${name} > ${poor}) AS ${name}_poor`
}

type StoredRow = Readonly<Record<string, string | number>>

function toSpeedRow(row: StoredRow): SpeedRow {
  const spread = (name: Vital): Spread => ({
    count: Number(row[`${name}_count`]),
    p75: Number(row[`${name}_p75`]),
    good: Number(row[`${name}_good`]),
    poor: Number(row[`${name}_poor`]),
  })
  const spreads = Object.fromEntries(vitals.map((name) => [name, spread(name)])) as Record<Vital, Spread>
  return { key: String(row['id']), loads: Number(row['loads']), ...spreads }
}

/** Those with the most page views first. */
export async function readSpeed(
  facts: Query,
  scope: Scope,
  { by, most }: { readonly by: keyof typeof keys; readonly most: number },
): Promise<SpeedRow[]> {
  const where = await sessionsOf(facts, scope)
  const rows = await facts.query<StoredRow>(
    `vitals.${by}`,
    `SELECT ${keys[by]} AS id, count() AS loads, ${vitals.map(spreadSql).join(',\n  ')}
FROM vitals FINAL
WHERE ${sameDays} AND is_bot = 0 AND (day, session) IN (SELECT day, session FROM sessions FINAL WHERE ${where.sql})
GROUP BY id ORDER BY loads DESC, id LIMIT ${most}`,
    where.params,
  )
  return rows.map(toSpeedRow)
}
