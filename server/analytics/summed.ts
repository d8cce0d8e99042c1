// Figures and lists of all sessions of a window, of which nothing is asked: the sums of its settled days, and
// the sessions of the others. Statements answer what those over sessions alone do (facts.ts).
import { everySession, knownOf, type RowsQuery, type ScopeFacts, summedDays, type Sums } from '../sessions/sessions.ts'
import { isSessionColumn, type SessionColumn } from '../stores/session-columns.ts'
import type { SettledDay } from '../stores/settled/settled.ts'
import { countedColumns, valueCounts } from '../stores/session-sums.ts'
import type { Fragment } from './clause-sql.ts'
import { entryMs, namedEdges } from './edges.ts'
import type { Scope } from './facts.ts'
import { type FigureName, figureSources, figureSql, summedSql } from './metrics.ts'
import { primaryLanguage, topSets } from './top-sets.ts'

interface PartsOfFigures {
  readonly edges: readonly number[]
  readonly figures: readonly FigureName[]
  /** Bounces that began since then may still become none. */
  readonly openMs: number
}

/**
 * Undefined for some of the sessions, which sums do not tell apart, and for bots, of which there are none.
 */
export async function everybody(
  facts: ScopeFacts,
  { propertyId, span, clauses, ofBots }: Scope,
  columns: readonly SessionColumn[],
): Promise<RowsQuery | undefined> {
  if (clauses.length > 0 || ofBots) return undefined
  return { ...(await knownOf(facts, propertyId, span)), columns, condition: everySession }
}

/** The sums of days all of whose sessions lie in the scope. @returns undefined when there are none. */
export async function sumsOf(
  facts: ScopeFacts,
  scope: Scope,
  columns: readonly SessionColumn[],
): Promise<Sums | undefined> {
  const query = await everybody(facts, scope, columns)
  return query && summedDays(query, () => true)
}

/** All sessions of a day that is read as a sum lie in one part, and it is over whether they bounced. */
const isInOnePart = ({ edges, openMs }: PartsOfFigures): ((day: SettledDay) => boolean) => {
  const partOf = (ms: number) => edges.findLastIndex((edge) => edge <= ms)
  return ({ firstMs, lastMs }) => lastMs < firstMs || (partOf(firstMs) === partOf(lastMs) && lastMs < openMs)
}

/**
 * Rows of `edge` and figures. The statement also binds `open_ms`.
 * @returns undefined when no day has a sum that says what is asked.
 */
export async function summedParts(facts: ScopeFacts, scope: Scope, ask: PartsOfFigures): Promise<Fragment | undefined> {
  const figures = ask.figures.map((name) => ({ name, ...figureSources[name] }))
  const query = await everybody(facts, scope, ['entry_at', ...figures.flatMap(({ columns }) => columns)])
  const found = query && summedDays(query, isInOnePart(ask))
  if (!found) return undefined
  const ofRows = ask.figures.map((name) => `${figureSql(name, scope.money)} AS figure_${name}`)
  const ofSums = ask.figures.map((name) => `${summedSql(name, scope.money)} AS figure_${name}`)
  const ofBoth = figures.map(({ name }) => `sum(parts.figure_${name}) AS figure_${name}`)
  const sums = [...new Set(figures.map(({ sum }) => sum))]
  const edges = namedEdges(ask.edges)
  const edgeSql = `${edges.of(entryMs)} AS edge`
  return {
    sql: `SELECT ${['edge', ...ofBoth].join(', ')} FROM (
${found.joined(
  `SELECT ${[edgeSql, ...ofRows].join(', ')} FROM ${found.rows.sql} GROUP BY edge`,
  `SELECT ${[edgeSql, ...ofSums].join(', ')} FROM ${found.sql('settled_figures', ['entry_at', 'day', ...sums])} GROUP BY edge`,
)}
) AS parts GROUP BY edge`,
    params: { ...found.params, ...edges.params },
  }
}

/** Of settled days: rows of `list`, `value` and `sessions`. */
function sumOfValues({ sql }: Sums, lists: readonly string[]): string {
  const names = lists.map((list) => `'${list}'`).join(', ')
  return `SELECT list, value, sum(sums.sessions) AS sessions FROM ${sql('settled_values', ['list', 'value', 'sessions'])} AS sums WHERE list IN (${names}) GROUP BY list, value`
}

/** The sets whose values are those of a column, and that of what is computed from one. */
const ofColumns = topSets.filter(({ sql }) => isSessionColumn(sql))
const primary = topSets.find(({ name }) => name === 'primary_language')!
const places = topSets.filter(({ isPlace }) => isPlace)

/** Of a value of a list, the sets in which it counts, by their masks, and as what. */
const counted = `arrayJoin(arrayConcat(
  [(transform(list, [${ofColumns.map(({ sql }) => `'${sql}'`).join(', ')}], [${ofColumns.map(({ mask }) => mask).join(', ')}], 0), value)],
  if(list = 'language', [(${primary.mask}, ${primaryLanguage('value')})], [])
))`

/** The largest of each set or list first, of places by their name. @param isPlace of which these are. */
const largest = (by: 'set' | 'list', isPlace: string, most: number): string =>
  `ORDER BY sessions DESC, if(${isPlace}, substring(value, position(value, ' ') + 1), value), value LIMIT ${most + 1} BY ${by}`

/** Rows of `set`, as the mask of one, `value` and `sessions`: the largest of each set. */
export function summedTops(sums: Sums, most: number): Fragment {
  const { select, groupBy } = valueCounts([])
  const isPlace = `set IN (${places.map(({ mask }) => mask).join(', ')})`
  return {
    sql: `SELECT counted.1 AS set, counted.2 AS value, sum(counts) AS sessions FROM (
SELECT ${counted} AS counted, sessions AS counts FROM (
${sums.joined(`SELECT ${select} FROM ${sums.rows.sql} ${groupBy}`, sumOfValues(sums, countedColumns))}
)) GROUP BY set, value
${largest('set', isPlace, most)}`,
    params: sums.params,
  }
}

/** Of settled days: rows of `list`, `value` and `sessions`, the largest of each list. */
export function largestValues(sums: Sums, lists: readonly string[], most: number): Fragment {
  const isPlace = `list IN (${places.map(({ sql }) => `'${sql}'`).join(', ')})`
  return { sql: `${sumOfValues(sums, lists)}\n${largest('list', isPlace, most)}`, params: sums.params }
}
