// Rows of a list with what advertising with their values cost (docs/definitions.md, "Cost"). A value that has
// a cost and no session becomes a row.
import type { Fragment } from '../analytics/clause-sql.ts'
import { bringsMoney } from '../analytics/credit-sql.ts'
import type { ListScope } from './facts.ts'
import { broughtSql, countedNames, figuresFor, isCostMetric } from './row-metrics.ts'

/** What a conversion of the goal brought in is what its advertising did. */
export const isOfGoal = ({ credit }: Pick<ListScope, 'credit'>): boolean =>
  credit !== undefined && bringsMoney(credit.goal)

/**
 * Costs that rows are sorted by, and that a row without a session is there for: of the values with the
 * highest. Thousands of them would take longer to be read than all sessions.
 */
const MOST_COSTS = 1000

/** The same rows with what advertising cost, and a row for each value that has a cost and nothing else. */
export function withCosts(scope: ListScope, { sql, params }: Fragment, search: Fragment): Fragment {
  if (!scope.metrics.some(isCostMetric)) return { sql, params }
  const names = countedNames(figuresFor(scope.metrics), scope.credit !== undefined)
  const highest = [...(scope.costs ?? [])].toSorted(([, one], [, other]) => other - one).slice(0, MOST_COSTS)
  const brought = scope.metrics.includes('return') ? broughtSql(isOfGoal(scope)) : '0'
  return {
    sql: `SELECT *, ${brought} AS brought FROM (
SELECT listed, code, ${names.map((name) => `sum(costed.${name}) AS ${name}`).join(', ')}, sum(costed.row_cost) AS row_cost, sum(costed.has_cost) AS has_cost FROM (
  SELECT listed, code, ${names.join(', ')}, toFloat64(0) AS row_cost, 0 AS has_cost FROM (${sql})
  UNION ALL
  SELECT listed, '' AS code, ${names.map((name) => `0 AS ${name}`).join(', ')}, row_cost, 1 AS has_cost FROM (
    SELECT pair.1 AS listed, pair.2 AS row_cost FROM (SELECT arrayJoin(arrayZip({cost_values:Array(String)}, {costs:Array(Float64)})) AS pair)
  ) WHERE ${search.sql}
) AS costed GROUP BY listed, code)`,
    params: {
      ...params,
      ...search.params,
      cost_values: highest.map(([value]) => value),
      costs: highest.map(([, cost]) => cost),
    },
  }
}
