// The figures of a row of a list, each over the sessions that have its value: how they are counted, sorted by
// and shown. docs/definitions.md, "Figures of a row".
import { type FigureName, type Figures, isKnownMetric, knownValue, metricValue } from '../analytics/metrics.ts'
import type { Currency } from '../rates/rates.ts'
import { figureColumns } from '../analytics/facts.ts'
import { perConversion, returnOf } from '../analytics/cost-figures.ts'
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

/**
 * Of advertising with the value: known where some is recorded. `brought` is what that brought in
 * (broughtSql).
 */
const ofCosts = {
  cost: { sql: known('row_cost') },
  cost_per_conversion: { sql: `if(goal_hits = 0, NULL, floor(round(${known('row_cost')} / goal_hits, 6) + 0.5))` },
  return: { sql: `if(row_cost = 0, NULL, floor(round(brought / ${known('row_cost')}, 9) * 100 + 0.5))` },
} as const

function known(sum: string): string {
  return `if(has_cost = 0, NULL, ${sum})`
}

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
export type CostMetricId = keyof typeof ofCosts
export type RowMetricId = SessionMetricId | GoalMetricId | CostMetricId

export const sessionMetricIds = Object.keys(ofSessions) as SessionMetricId[]
export const goalMetricIds = Object.keys(ofGoals) as GoalMetricId[]
export const costMetricIds = Object.keys(ofCosts) as CostMetricId[]
/** Those that are made of the cost. */
export const resultIds = ['cost_per_conversion', 'return'] as const satisfies readonly CostMetricId[]
export const rowMetricIds: readonly RowMetricId[] = [...sessionMetricIds, ...goalMetricIds, ...costMetricIds]

/** Columns of a file; sessions have one in any case. */
export const fileMetricIds = rowMetricIds.filter((id) => id !== 'sessions')

export const isGoalMetric = (id: RowMetricId): id is GoalMetricId => Object.hasOwn(ofGoals, id)
export const isCostMetric = (id: RowMetricId): id is CostMetricId => Object.hasOwn(ofCosts, id)
/** Without a goal there is none. */
export const needsGoal = (id: RowMetricId): boolean => isGoalMetric(id) || id === 'cost_per_conversion'

/** The SQL over a row of `sessions`, `figure_…`, `goal_…`, `row_cost`, `has_cost` and `brought`. */
export function sortSql(id: RowMetricId): string {
  if (isGoalMetric(id)) return ofGoals[id].sql
  return isCostMetric(id) ? ofCosts[id].sql : ofSessions[id].sql
}

/** What advertising brought in: what a goal is worth that brings money, and else all that sessions did. */
export const broughtSql = (ofGoal: boolean): string => (ofGoal ? ofGoals.conversion_value.sql : ofSessions.value.sql)

function needsOf(id: RowMetricId): readonly FigureName[] {
  if (id === 'return') return ofSessions.value.needs
  return isGoalMetric(id) || isCostMetric(id) ? [] : ofSessions[id].needs
}

/** What has to be counted for them, besides the sessions. */
export const figuresFor = (ids: readonly RowMetricId[]): FigureName[] => [...new Set(ids.flatMap(needsOf))]

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

/** The names of what is counted of a value, besides the value. */
export const countedNames = (figures: readonly FigureName[], hasGoal: boolean): readonly string[] => [
  'sessions',
  ...figures.map((name) => `figure_${name}`),
  ...(hasGoal ? goalColumnNames : []),
]

/** What a row is made of. */
export interface Counted {
  readonly figures: Figures
  readonly goal: GoalCounts
  /** In minor units; null where none is recorded. */
  readonly cost: number | null
}

/** @param isOfGoal what it brought in is what the goal is worth. */
function costMetric(id: CostMetricId, { figures, goal, cost }: Counted, isOfGoal: boolean): number | null {
  const { conversions, conversion_value } = goalMetrics(goal, figures.sessions)
  if (id === 'cost_per_conversion') return perConversion(cost, conversions)
  return id === 'cost' ? cost : returnOf(isOfGoal ? conversion_value : metricValue('value', figures), cost)
}

/** Null where it is not known of any session. */
export function rowMetric(id: RowMetricId, counted: Counted, isOfGoal: boolean): number | null {
  const { figures, goal } = counted
  if (isCostMetric(id)) return costMetric(id, counted, isOfGoal)
  if (isGoalMetric(id)) return id === 'rate' && figures.sessions === 0 ? null : goalMetrics(goal, figures.sessions)[id]
  return isKnownMetric(id) ? knownValue(id, figures, metricValue).value : metricValue(id, figures)
}
