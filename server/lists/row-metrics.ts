// The figures of a row of a list, each over the sessions that have its value: how they are counted, sorted by
// and shown. docs/definitions.md, "Figures of a row".
import { type FigureName, type Figures, isKnownMetric, knownValue, metricValue } from '../analytics/metrics.ts'
import type { Currency } from '../rates/rates.ts'
import { figureColumns } from '../analytics/facts.ts'
import { goalColumnNames, goalColumns, type GoalCounts, goalMetrics } from '../analytics/goal-counts.ts'

/** Of the sessions themselves. */
const ofSessions = {
  sessions: { needs: [], sql: 'sessions' },
  visits: { needs: ['re_entries'], sql: 'sessions + figure_re_entries' },
  views: { needs: ['views'], sql: 'figure_views' },
  bounce: { needs: ['judged', 'judged_bounces'], sql: rounded('figure_judged_bounces', 'figure_judged', 4) },
  duration: { needs: ['measured', 'seconds'], sql: rounded('figure_seconds', 'figure_measured', 0) },
  scroll: { needs: ['scrolled', 'scroll'], sql: rounded('figure_scroll', 'figure_scrolled', 0) },
  value: { needs: ['value'], sql: wholeSum('figure_value') },
} as const satisfies Record<string, { readonly needs: readonly FigureName[]; readonly sql: string }>

/** Of the conversions that are credited to them. */
const ofGoals = {
  conversions: { sql: 'goal_hits' },
  rate: { sql: rounded('goal_sessions', 'sessions', 4) },
  conversion_value: { sql: wholeSum('goal_cents') },
} as const

/** Of parts of minor units, where money was converted. */
function wholeSum(sum: string): string {
  return `floor(round(${sum}, 6) + 0.5)`
}

/** Null of none, else rounded as the figure is shown: equal ones are then in the order of the list. */
function rounded(part: string, whole: string, decimals: number): string {
  return `if(${whole} = 0, NULL, floor(round(${part} / ${whole}, 9) * ${10 ** decimals} + 0.5))`
}

type SessionMetricId = keyof typeof ofSessions
export type GoalMetricId = keyof typeof ofGoals
export type RowMetricId = SessionMetricId | GoalMetricId

export const sessionMetricIds = Object.keys(ofSessions) as SessionMetricId[]
export const goalMetricIds = Object.keys(ofGoals) as GoalMetricId[]
export const rowMetricIds: readonly RowMetricId[] = [...sessionMetricIds, ...goalMetricIds]

/** Columns of a file; sessions have one in any case. */
export const fileMetricIds = rowMetricIds.filter((id) => id !== 'sessions')

export const isGoalMetric = (id: RowMetricId): id is GoalMetricId => Object.hasOwn(ofGoals, id)

/** The SQL over a row of `sessions`, `figure_…` and `goal_…`. */
export const sortSql = (id: RowMetricId): string => (isGoalMetric(id) ? ofGoals[id].sql : ofSessions[id].sql)

/** What has to be counted for them, besides the sessions. */
export const figuresFor = (ids: readonly RowMetricId[]): FigureName[] => [
  ...new Set(ids.flatMap((id): readonly FigureName[] => (isGoalMetric(id) ? [] : ofSessions[id].needs))),
]

/** What is counted of the rows of a value, as `sessions`, `figure_…` and `goal_…`. */
export function countedSql(figures: readonly FigureName[], hasGoal: boolean, money: Currency | undefined): string {
  return [
    'count() AS sessions',
    ...(figures.length > 0 ? [figureColumns(figures, money)] : []),
    ...(hasGoal ? [goalColumns] : []),
  ].join(', ')
}

/**
 * The same where visits after the first one count for values of their own: of the rows of sessions, of the
 * rows of such visits, and of both together.
 */
export function countedByVisit(figures: readonly FigureName[], hasGoal: boolean, money: Currency | undefined) {
  const others = figures.filter((name) => name !== 're_entries')
  const names = ['sessions', ...others.map((name) => `figure_${name}`), ...(hasGoal ? goalColumnNames : [])]
  return {
    ofSessions: `${countedSql(others, hasGoal, money)}, toUInt64(0) AS figure_re_entries`,
    ofVisits: `${names.map((name) => `0 AS ${name}`).join(', ')}, count() AS figure_re_entries`,
    ofBoth: [...names, 'figure_re_entries'].map((name) => `sum(counted.${name}) AS ${name}`).join(', '),
  }
}

/** Null where it is not known of any session. */
export function rowMetric(id: RowMetricId, figures: Figures, goal: GoalCounts): number | null {
  if (isGoalMetric(id)) return id === 'rate' && figures.sessions === 0 ? null : goalMetrics(goal, figures.sessions)[id]
  return isKnownMetric(id) ? knownValue(id, figures, metricValue).value : metricValue(id, figures)
}
