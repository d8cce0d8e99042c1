// Where the parts of a span begin, as a statement names them. A window that moves with the time has an edge
// for each second of the next minutes, thousands in all, and all of them would be planned wherever they
// stand: what lies between the first and the last of such a row of seconds is computed instead.
import type { Fragment } from './clause-sql.ts'

const SECOND_MS = 1000

/** When a session begins, in milliseconds. */
export const entryMs = 'toUnixTimestamp64Milli(entry_at)'

/** SQL of the edges, in milliseconds. */
export interface NamedEdges extends Pick<Fragment, 'params'> {
  /** Of the last edge at or before a time; of a time before all of them it is the first one. */
  readonly of: (timeMs: string) => string
}

/** @param edges ascending milliseconds. */
export function namedEdges(edges: readonly number[]): NamedEdges {
  const all = [...new Set(edges)]
  const follows = (index: number) => all[index] === all[index - 1]! + SECOND_MS
  const isBetween = (_: number, index: number) => follows(index) && follows(index + 1)
  const isInRow = all.map(isBetween)
  const named = all.filter((_, index) => !isInRow[index])
  const rows = all.filter((_, index) => !isInRow[index] && isInRow[index + 1])
  const namedAt = (timeMs: string) => `roundDown(${timeMs}, {edges:Array(Int64)})`
  if (rows.length === 0) return { of: namedAt, params: { edges: named } }
  return {
    of: (timeMs) => {
      const edge = namedAt(timeMs)
      const sinceMs = `greatest(${timeMs} - ${edge}, 0)`
      return `${edge} + if(has({edge_rows:Array(Int64)}, ${edge}), intDiv(${sinceMs}, ${SECOND_MS}) * ${SECOND_MS}, 0)`
    },
    params: { edges: named, edge_rows: rows },
  }
}
