// A window that is cut in two where a day of UTC begins, so that one statement counts what lies before and
// what comes from then on: to plan a statement often takes longer than to run it.
import { dayOf, NEVER_MS, storedDay } from '../kernel/days.ts'

/** Rows of each part of a window. */
export interface InParts<Row> {
  readonly past: readonly Row[]
  readonly recent: readonly Row[]
}

/** The column `is_recent` of facts, by their time. */
export const isRecentByTime = "at >= fromUnixTimestamp64Milli({cut_ms:Int64}, 'UTC') AS is_recent"

/** The same by the day of their session, which has one alone. @param column with that day. */
export const isRecentByDay = (column: string) => `${column} >= {cut_day:Date} AS is_recent`

/** What both bind. @param cutMs left out: all of the window is past. */
export const bindCut = (cutMs: number = NEVER_MS) => ({ cut_ms: cutMs, cut_day: storedDay(dayOf(cutMs)) })

/** What the store says of rows with `is_recent`. */
export function inParts<Read extends { readonly is_recent: number }, Row>(
  rows: readonly Read[],
  show: (row: Read) => Row,
): InParts<Row> {
  const of = (part: number) => rows.filter(({ is_recent }) => is_recent === part).map(show)
  return { past: of(0), recent: of(1) }
}
