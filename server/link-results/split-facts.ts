// What came of the clicks of a link by the destination of its split: people, who of them arrived, and who
// reached the goal from there on. Each node of a cluster counts the sessions that it has.
import {
  amongClicked,
  ARRIVALS,
  bindClicked,
  clickedSql,
  type ClickedQuery,
  visitsSql,
} from '../clicks/arrival-facts.ts'
import type { Matching } from '../conversions/conversions.ts'
import { onEachNode } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface VariantFigures {
  /** Each once a day, those whose session is not known left out. */
  readonly people: number
  readonly arrived: number
  readonly converted: number
}

const everywhere = ({ cluster }: Facts['layout'], sql: string): string =>
  cluster ? `cluster('${cluster}', view(${sql}))` : `(${sql})`

/** @returns by the id of the variant or rule that decided; without those whom nobody clicked. */
export async function readVariants(
  facts: Pick<Facts, 'query' | 'hasMarks' | 'layout'>,
  ask: ClickedQuery,
  goal: Matching,
): Promise<Map<string, VariantFigures>> {
  const { layout } = facts
  const clicked = clickedSql(layout, { ...ask, by: 'rule' }, await facts.hasMarks(ask.propertyId))
  const counted = `WITH clicked AS (${clicked}),
visits AS (${visitsSql(layout)}),
reached AS (SELECT ${goal.day} AS day, session, toUnixTimestamp64Milli(max(at)) AS last_reached
  FROM ${onEachNode(goal.table, layout)} FINAL
  WHERE ${amongClicked(goal.day)} AND (${goal.sql}) GROUP BY day, session)
SELECT through, count() AS people, countIf(arrival > 0) AS arrived,
  countIf(arrival > 0 AND last_reached >= arrival) AS converted
FROM (
  SELECT through, last_reached, ${ARRIVALS}
  FROM clicked LEFT JOIN visits USING (day, session) LEFT JOIN reached USING (day, session)
) GROUP BY through`
  const rows = await facts.query<{ id: string } & Record<keyof VariantFigures, string>>(
    'linkResults.variants',
    `SELECT through AS id, sum(people) AS people, sum(arrived) AS arrived, sum(converted) AS converted
FROM ${everywhere(layout, counted)} GROUP BY id`,
    { ...goal.params, ...bindClicked(ask) },
  )
  return new Map(
    rows.map(({ id, people, arrived, converted }) => [
      id,
      { people: Number(people), arrived: Number(arrived), converted: Number(converted) },
    ]),
  )
}
