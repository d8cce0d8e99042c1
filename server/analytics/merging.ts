// Two parts of a window put together: what was counted in each adds up, as long as each says enough of what
// it left out.
import { TOP_ROWS, topSets, type TopSetName } from './top-sets.ts'
import type { TopLists, TopRow } from './facts.ts'

/** By code point, as the store sorts texts. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const keyOf = ({ value, countryCode }: TopRow): string => JSON.stringify([value, countryCode])

const inOrder = (a: TopRow, b: TopRow): number =>
  b.sessions - a.sessions || compareTexts(a.value, b.value) || compareTexts(a.countryCode, b.countryCode)

/**
 * Values that are read of a part of some days: nearly always all there are, without which nothing can be
 * told.
 */
export const RECENT_ROWS = 3000

/**
 * The first `wanted` rows of the whole, and of a list that is not cut off all others too. Undefined when it
 * cannot be told which they are.
 * @param past its first TOP_ROWS: values that are not in it have as many sessions as the last one at most.
 * @param recent its first RECENT_ROWS.
 */
export function mergeRows(past: readonly TopRow[], recent: readonly TopRow[], wanted: number): TopRow[] | undefined {
  const added = new Map(recent.map((row) => [keyOf(row), row.sessions]))
  const known = past.map((row) => ({ ...row, sessions: row.sessions + (added.get(keyOf(row)) ?? 0) }))
  const pastKeys = new Set(past.map(keyOf))
  const others = recent.filter((row) => !pastKeys.has(keyOf(row)))
  // What a known value had in the part where it is missing is not known either.
  if (recent.length >= RECENT_ROWS) return undefined
  if (past.length < TOP_ROWS) return [...known, ...others].toSorted(inOrder)
  const bound = (past.at(-1)?.sessions ?? 0) + Math.max(0, ...others.map((row) => row.sessions))
  const sorted = known.toSorted(inOrder)
  const last = sorted[wanted - 1]
  return last !== undefined && last.sessions > bound ? sorted : undefined
}

/** Undefined when one of the lists cannot be merged. */
export function mergeTopLists(past: TopLists, recent: TopLists, wanted: number): TopLists | undefined {
  const merged: Partial<Record<TopSetName, readonly TopRow[]>> = {}
  for (const { name } of topSets) {
    const rows = mergeRows(past[name], recent[name], wanted)
    if (!rows) return undefined
    merged[name] = rows
  }
  return merged as TopLists
}

/**
 * Rows by id, their numbers added up. Undefined when one of the parts was cut off.
 * @param limit as many rows as each part could have.
 */
export function mergeCounts<Name extends string, Row extends Readonly<Record<Name, string>>>(
  past: readonly Row[],
  recent: readonly Row[],
  id: Name,
  limit: number,
): Row[] | undefined {
  if (past.length >= limit || recent.length >= limit) return undefined
  const byId = new Map<string, Row>(past.map((row) => [row[id], row]))
  for (const row of recent) {
    const known = byId.get(row[id])
    byId.set(row[id], known ? addUp(known, row) : row)
  }
  return [...byId.values()]
}

function addUp<Row extends object>(one: Row, other: Row): Row {
  const entries = Object.entries(one).map(([name, value]: [string, unknown]) => {
    const added: unknown = other[name as keyof Row]
    return [name, typeof value === 'number' && typeof added === 'number' ? value + added : value]
  })
  return Object.fromEntries(entries) as Row
}
