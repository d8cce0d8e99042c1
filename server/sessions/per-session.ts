// Facts of the sessions of a question, added up session by session.
import type { FactsLayout } from '../stores/facts.ts'
import type { FactTable } from '../stores/tables.ts'
import { everywhere, onEachNode } from './rows.ts'
import type { SessionScope } from './scope.ts'

export interface FactsPerSession {
  readonly table: FactTable
  /** The column with the day of the session. */
  readonly day: 'day' | 'session_day'
  /** Which of them: also on their property and days, which keeps the others from being read. */
  readonly condition: string
  /** Columns of the facts of one session. */
  readonly sums: string
  /** Columns over these; of each node, where there are several. */
  readonly totals: string
}

/**
 * Stands behind FROM. Facts are read once, and only sessions that have some are remembered: a set of all
 * sessions of a year would take hundreds of megabytes.
 */
export function perSession(
  { keys, inSet }: Pick<SessionScope, 'keys' | 'inSet'>,
  layout: FactsLayout,
  { table, day, condition, sums, totals }: FactsPerSession,
): string {
  const found = (from: string, also = '') =>
    `SELECT ${day} AS own_day, session, ${sums} FROM ${from} FINAL
  WHERE session != 0 AND ${condition} ${also} GROUP BY own_day, session`
  if (keys !== undefined) return `(SELECT ${totals} FROM (${found(table, `AND (${day}, session) IN ${keys}`)}))`
  return everywhere(
    `SELECT ${totals} FROM (SELECT day, session FROM ${inSet}) AS own
  INNER JOIN (${found(onEachNode(table, layout))}) AS found ON found.own_day = own.day AND found.session = own.session`,
    layout,
  )
}
