// Conversions that are credited to some sessions: how they are counted, added up and shown.
import { safeSum } from '../kernel/money.ts'
import { round } from './metrics.ts'

export interface GoalCounts {
  readonly hits: number
  readonly sessions: number
  readonly cents: number
}

export interface GoalColumns {
  readonly goal_hits?: string | number
  readonly goal_sessions?: string | number
  readonly goal_cents?: string | number
}

export const goalColumnNames = ['goal_hits', 'goal_sessions', 'goal_cents'] as const satisfies (keyof GoalColumns)[]

/** Over sessions, each with what is credited to it. */
export const goalColumns = 'sum(hits) AS goal_hits, countIf(hits > 0) AS goal_sessions, sum(cents) AS goal_cents'

export const noGoalCounts: GoalCounts = { hits: 0, sessions: 0, cents: 0 }

export const addGoalCounts = (one: GoalCounts, other: GoalCounts): GoalCounts => ({
  hits: one.hits + other.hits,
  sessions: one.sessions + other.sessions,
  cents: one.cents + other.cents,
})

export const readGoalCounts = (row: GoalColumns): GoalCounts => ({
  hits: Number(row.goal_hits ?? 0),
  sessions: Number(row.goal_sessions ?? 0),
  cents: Number(row.goal_cents ?? 0),
})

/** Of how many sessions they are. */
export const goalMetrics = ({ hits, sessions, cents }: GoalCounts, whole: number) => ({
  conversions: hits,
  rate: whole === 0 ? 0 : round(sessions / whole, 4),
  conversion_value: round(safeSum([cents]), 0),
})
