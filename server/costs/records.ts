// The statements about costs. Every one names its property.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import { type Cost, type CostKey, costKeys } from './cost-model.ts'

const columns = [...costKeys, 'amount', 'currency', 'amount_usd'] as const

const costsOf = (records: Records, propertyId: string) =>
  records.selectFrom('costs').where('property_id', '=', propertyId)

/** Whether any is recorded. */
export async function hasCosts(records: Records, propertyId: string): Promise<boolean> {
  const found = await costsOf(records, propertyId).select('day').limit(1).executeTakeFirst()
  return found !== undefined
}

export async function countCosts(records: Records, propertyId: string): Promise<number> {
  const { count } = await costsOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Days, both included, as YYYY-MM-DD. */
export interface DaySpan {
  readonly fromDay: string
  readonly toDay: string
}

/** All of these days. There are at most MAX_COSTS. */
export async function everyCost(records: Records, propertyId: string, { fromDay, toDay }: DaySpan): Promise<Cost[]> {
  return costsOf(records, propertyId)
    .select(columns)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .orderBy('day')
    .orderBy('source')
    .orderBy('medium')
    .orderBy('campaign')
    .execute()
}

/** The latest day first. */
export async function listCostRows(records: Records, propertyId: string, query: PageQuery): Promise<Listed<Cost>> {
  const rows = await costsOf(records, propertyId)
    .select(columns)
    .orderBy('day', 'desc')
    .orderBy('source')
    .orderBy('medium')
    .orderBy('campaign')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return { rows, total: await countCosts(records, propertyId) }
}

/** Rows of one INSERT: both stores limit the number of bound values. */
const ROWS_A_STATEMENT = 500

/** Those with the same key are replaced. @throws a foreign key violation when the property is gone. */
export async function saveCosts(tx: Tx, propertyId: string, costs: readonly Cost[]): Promise<void> {
  for (let at = 0; at < costs.length; at += ROWS_A_STATEMENT) {
    const rows = costs.slice(at, at + ROWS_A_STATEMENT).map((cost) => ({ ...cost, property_id: propertyId }))
    await tx
      .insertInto('costs')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['property_id', ...costKeys]).doUpdateSet((row) => ({
          amount: row.ref('excluded.amount'),
          amount_usd: row.ref('excluded.amount_usd'),
          currency: row.ref('excluded.currency'),
        })),
      )
      .execute()
  }
}

export async function deleteCost(tx: Tx, propertyId: string, { day, source, medium, campaign }: CostKey) {
  await tx
    .deleteFrom('costs')
    .where('property_id', '=', propertyId)
    .where('day', '=', day)
    .where('source', '=', source)
    .where('medium', '=', medium)
    .where('campaign', '=', campaign)
    .execute()
}

/** Those of these days, or of one source alone. @returns how many there were. */
export async function deleteCosts(
  records: Records,
  propertyId: string,
  { fromDay, toDay, source }: DaySpan & { readonly source: string | undefined },
): Promise<number> {
  const ofDays = records
    .deleteFrom('costs')
    .where('property_id', '=', propertyId)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
  return changedBy(source === undefined ? ofDays : ofDays.where('source', '=', source))
}

const ROWS_AT_ONCE = 1000

/** All there are, page by page. */
export async function* costBatches(records: Records, propertyId: string): AsyncGenerator<Cost[]> {
  for (let page = 1; ; page++) {
    const { rows } = await listCostRows(records, propertyId, { page, perPage: ROWS_AT_ONCE })
    yield rows
    if (rows.length < ROWS_AT_ONCE) return
  }
}
