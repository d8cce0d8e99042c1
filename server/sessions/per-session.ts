// Facts of the sessions of a question, added up session by session.
import type { FactsLayout } from '../stores/facts.ts'
import type { FactTable } from '../stores/tables.ts'
import { keysOf, type SessionScope } from './scope.ts'

export interface FactsPerSession {
  readonly table: FactTable
  /** The column with the day of the session. */
  readonly day: 'day' | 'session_day'
  /** Which of them: also on their property and days, which keeps the others from being read. */
  readonly condition: string
  /** Columns of the facts of one session. */
  readonly sums: string
  /** Columns over these. */
  readonly totals: string
  /** The column `is_recent`, made of `own_day`: the day of the session. */
  readonly ofPart: string
}

/**
 * Stands behind FROM. Facts are read once, and only sessions that have some are remembered: a set of all
 * sessions of a year would take hundreds of megabytes. In a cluster, where a join would bring all sessions to
 * one node, each node looks its own up.
 */
export function perSession(
  scope: Pick<SessionScope, 'keys' | 'inSet'>,
  { cluster }: FactsLayout,
  { table, day, condition, sums, totals, ofPart }: FactsPerSession,
): string {
  const within = `session != 0 AND ${condition}`
  const found = (also = '') => `SELECT ${day} AS own_day, session, ${sums} FROM ${table} FINAL
  WHERE ${within} ${also} GROUP BY own_day, session`
  if (scope.keys !== undefined || cluster) {
    const keys = keysOf(scope, `SELECT ${day}, session FROM ${table} WHERE ${within}`)
    return `(SELECT ${ofPart}, ${totals} FROM (${found(`AND (${day}, session) IN ${keys}`)}) GROUP BY is_recent)`
  }
  return `(SELECT ${ofPart}, ${totals} FROM (SELECT day, session FROM ${scope.inSet}) AS own
  INNER JOIN (${found()}) AS found ON found.own_day = own.day AND found.session = own.session GROUP BY is_recent)`
}
