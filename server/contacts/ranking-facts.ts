// Which contacts brought the most, in the facts.
import type { Facts } from '../stores/facts.ts'
import { sessionColumns } from '../stores/session-columns.ts'

export type Ranking = 'value' | 'orders'

/** The others are as if they had brought nothing: nobody turns so many pages. */
const MOST_RANKED = 10_000

/**
 * Ids, the largest first; without those who brought nothing. Orders are in the events and contacts in the
 * sessions: both are put together by their session, without a join that a cluster would have to carry about.
 */
export async function listRanked(facts: Pick<Facts, 'query'>, propertyId: string, by: Ranking): Promise<string[]> {
  const rows = await facts.query<{ readonly contact: string }>(
    'contacts.listRanked',
    `SELECT own AS contact, sum(cents) AS value, length(groupUniqArrayArray(ids)) AS orders FROM (
  SELECT day, session, max(whose) AS own, max(usd) AS cents, groupUniqArrayArray(order_ids) AS ids FROM (
    SELECT day, session, ${sessionColumns.contact_id} AS whose, ${sessionColumns.value_usd_sum} AS usd, emptyArrayString() AS order_ids
    FROM sessions FINAL WHERE property = {property:String} AND contact_id != '' AND mark % 2 = 0
    UNION ALL
    SELECT day, session, '', toInt64(0), [order_id] FROM events FINAL
    WHERE property = {property:String} AND kind = 'acquisition' AND order_id != ''
  ) GROUP BY day, session
) WHERE own != '' GROUP BY own HAVING ${by} > 0 ORDER BY ${by} DESC, contact LIMIT ${MOST_RANKED}`,
    { property: propertyId },
  )
  return rows.map(({ contact }) => contact)
}
