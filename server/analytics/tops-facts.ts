// Every top list of a scope from one statement: of settled days from their sums (values-facts.ts), of others
// from one pass over their sessions. Where an answer also asks through which links these came, the same pass
// counts them: to plan a statement of its own takes longer.
import { countedColumns } from '../stores/session-sums.ts'
import { type RowFacts, rowsOf, type Scope, type TopLists, type TopRow } from './facts.ts'
import { summedTops, sumsOf } from './summed.ts'
import type { Counted, TopPass } from './top-pass.ts'
import { readTop, TOP_ROWS, topOrder, type TopSet, topSets, topSources, type ValueCount } from './top-sets.ts'
import { type CountedValues, readSets } from './values-facts.ts'

type TopColumns = Readonly<Record<string, string>> & { readonly set: string; readonly sessions: string }

/**
 * The link that a session began through. Its column is the last one, so that its mask lacks the last bit. As
 * it is: in a cluster a function that keeps values apart is not grouped by, and `grouping` misses it.
 */
const arrived = { column: 'arrived', sql: 'entry_link', mask: 2 ** (topSets.length + 1) - 2 } as const

const withArrived = [...topSets, arrived]

/** @param has the sets that are counted, in the order of their masks. */
function statementOf(from: string, has: readonly Pick<TopSet, 'column' | 'sql'>[], most: number): string {
  const columns = has.map(({ column, sql }) => (sql === column ? column : `${sql} AS ${column}`))
  const order = has.includes(arrived) ? `${topOrder}, ${arrived.column}` : topOrder
  return `SELECT grouping(${has.map(({ column }) => column).join(', ')}) AS set, ${columns.join(', ')},
  count() AS sessions
FROM ${from}
GROUP BY GROUPING SETS (${has.map(({ column }) => `(${column})`).join(', ')})
ORDER BY sessions DESC, ${order} LIMIT ${most + 1} BY set`
}

async function query(facts: RowFacts, sql: string, params: Readonly<Record<string, unknown>>): Promise<Counted> {
  const rows = await facts.query<TopColumns>('analytics.readTopLists', sql, params)
  const bySet = Map.groupBy(rows, (row) => Number(row.set))
  return ({ mask, column }) =>
    (bySet.get(mask) ?? []).map((row) => ({
      value: row['value'] ?? row[column] ?? '',
      sessions: Number(row.sessions),
    }))
}

const passOf = ({ pass, span }: Scope): TopPass | undefined =>
  pass?.span.fromMs === span.fromMs && pass.span.toMs === span.toMs ? pass : undefined

const readPass = (facts: RowFacts, scope: Scope, pass: TopPass): Promise<Counted> =>
  pass.read(async () => {
    const { sql, params } = await rowsOf(facts, scope, [...topSources, 'entry_link'])
    return query(facts, statementOf(sql, withArrived, pass.most), params)
  })

async function readStored(facts: RowFacts, scope: Scope, most: number): Promise<Counted> {
  const pass = passOf(scope)
  if (pass?.most !== most) {
    const { sql, params } = await rowsOf(facts, scope, topSources)
    return query(facts, statementOf(sql, topSets, most), params)
  }
  const counted = await readPass(facts, scope, pass)
  // One column more is one bit more.
  return ({ mask, column }) => counted({ column, mask: mask * 2 + 1 })
}

/**
 * Each list with its largest values (empty ones left out), equal counts in the order of the value.
 */
export async function readTopLists(facts: RowFacts, scope: Scope, most: number = TOP_ROWS): Promise<TopLists> {
  const sums = await sumsOf(facts, scope, countedColumns)
  const known = sums && most === TOP_ROWS ? await readSets(facts, scope, sums) : undefined
  if (known) return topLists(known)
  if (!sums) return topLists(await readStored(facts, scope, most))
  const { sql, params } = summedTops(sums, most)
  return topLists(await query(facts, sql, params))
}

/**
 * Links that sessions of the scope began through, the largest first, equal ones by their id.
 * @returns undefined where they are not counted with its lists.
 */
export async function readArrived(facts: RowFacts, scope: Scope): Promise<CountedValues | undefined> {
  const pass = passOf(scope)
  if (!pass) return undefined
  const rows = (await readPass(facts, scope, pass))(arrived)
  return { rows: rows.filter(({ value }) => value !== ''), isWhole: rows.length <= pass.most }
}

const topLists = (rowsOf: (set: TopSet) => readonly ValueCount[]): TopLists =>
  Object.fromEntries(
    topSets.map((set) => [set.name, rowsOf(set).flatMap((row) => topRow(row, set))]),
  ) as unknown as TopLists

function topRow({ value, sessions }: ValueCount, set: TopSet): TopRow[] {
  const listed = readTop(set, value)
  return listed.value === '' ? [] : [{ ...listed, sessions }]
}
