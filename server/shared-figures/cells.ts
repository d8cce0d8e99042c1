// The cells of a question: the parts into which its clauses cut the sessions of a window. An answer to a
// share link is given only where no cell has one or two sessions, so that no two answers differ by them
// (docs/definitions.md, "What a share link shows").
import type { SessionColumn } from '../stores/session-columns.ts'
import type { Fragment } from '../analytics/clause-sql.ts'
import type { Clause } from '../analytics/clauses.ts'
import { type ClauseId, dimensionOf, targetOf } from '../analytics/dimensions.ts'
import { type Figures, figureNames, noFigures } from '../analytics/metrics.ts'
import { primaryLanguage } from '../analytics/top-sets.ts'
import { FEWEST, isFew } from './shared.ts'

export const fewSql = (count: string): string => `(${count} BETWEEN 1 AND ${FEWEST - 1})`

export type ColumnSql = (name: SessionColumn) => string

/** Something of a session whose values the question tells apart from one another and from all the rest. */
export interface Distinction {
  readonly column: SessionColumn
  readonly sql: (column: string) => string
  readonly values: readonly string[]
}

type Lying = Omit<Distinction, 'values'>

const asItIs = (column: string): string => `toString(${column})`

const lyings = {
  country_code: { column: 'country_code', sql: asItIs },
  region: { column: 'region', sql: asItIs },
  primary_language: { column: 'language', sql: (column) => primaryLanguage(asItIs(column)) },
} as const satisfies Record<string, Lying>

/**
 * In what values lie that everybody knows of them: a session of the city is known to be one of its country.
 */
export const liesIn = (id: ClauseId): readonly Lying[] => (dimensionOf(id).liesIn ?? []).map((name) => lyings[name])

/** @param clauses of a share link: each names values of a session (shared.ts). */
export function distinctionsOf(clauses: readonly Clause[]): Distinction[] {
  return clauses.map(({ id, values }) => {
    const target = targetOf(id)
    if (target.on !== 'session') throw new Error(`a share link is not asked about ${id}`)
    return { column: target.column, sql: asItIs, values }
  })
}

/**
 * The cell of a row, as a number that is odd for the cells that the clauses choose. Which other number it is
 * says nothing.
 * @param known what is distinguished besides, and chooses nothing.
 */
export function cellSql(
  clauses: readonly Clause[],
  known: readonly Distinction[],
  columnOf: ColumnSql,
): Fragment & { readonly columns: readonly SessionColumn[] } {
  const chosen = distinctionsOf(clauses)
  const all = [...chosen, ...known]
  const places = all.map(({ column, sql }, index) => `indexOf({cell_${index}:Array(String)}, ${sql(columnOf(column))})`)
  const isChosen = places.slice(0, chosen.length).map((place) => `${place} > 0`)
  return {
    sql:
      all.length === 0
        ? 'toUInt64(1)'
        : `bitOr(bitShiftLeft(cityHash64(${places.join(', ')}), 1), toUInt64(${isChosen.join(' AND ')}))`,
    params: Object.fromEntries(all.map(({ values }, index) => [`cell_${index}`, values])),
    columns: all.map(({ column }) => column),
  }
}

// ---------------------------------------------------------------- what is shown

/** Sessions by cell. */
export type Cells = ReadonlyMap<string, number>

/** A part of a window: what is asked of its chosen sessions, and how many there are in each cell. */
export interface Part {
  readonly figures: Figures
  readonly cells: Cells
}

export const noPart: Part = { figures: noFigures, cells: new Map() }

/**
 * Whether the answer about these sessions may be given: nothing that can be subtracted from it leaves one or
 * two.
 */
export const mayBeShown = (cells: Cells): boolean => ![...cells.values()].some(isFew)

function joined(parts: readonly Part[]): Part {
  const figures = { ...noFigures }
  const cells = new Map<string, number>()
  for (const part of parts) {
    for (const name of figureNames) figures[name] += part.figures[name]
    for (const [cell, sessions] of part.cells) cells.set(cell, (cells.get(cell) ?? 0) + sessions)
  }
  return { figures, cells }
}

export interface ShownParts {
  readonly parts: readonly Figures[]
  /** Of the whole, with the parts that are not shown. */
  readonly total: Figures
  /** Sessions of the whole, of all cells. */
  readonly everybody: number
}

/**
 * Each part as if it were asked for alone. What is left out is the whole less the others: the smallest of
 * these go with it until that may be told, too.
 */
export function shownParts(parts: readonly Part[]): ShownParts {
  const whole = joined(parts)
  const everybody = [...whole.cells.values()].reduce((sum, sessions) => sum + sessions, 0)
  if (!mayBeShown(whole.cells)) return { parts: parts.map(() => noFigures), total: noFigures, everybody }
  const told = parts.filter(({ cells }) => mayBeShown(cells))
  const shown = new Set(told)
  let leftOut = joined(parts.filter((part) => !shown.has(part)))
  for (const smallest of told.toSorted((one, other) => one.figures.sessions - other.figures.sessions)) {
    if (mayBeShown(leftOut.cells)) break
    shown.delete(smallest)
    leftOut = joined([leftOut, smallest])
  }
  return { parts: parts.map((part) => (shown.has(part) ? part.figures : noFigures)), total: whole.figures, everybody }
}

/** Of a window that is shown as one. */
export const shownWhole = (part: Part): Figures => (mayBeShown(part.cells) ? part.figures : noFigures)
