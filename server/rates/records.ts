// The table of refreshed exchange rates.
import type { Records } from '../stores/records.ts'
import type { DatedRate } from './rates-seed.ts'

/**
 * Thirty-odd currencies over decades of days; a table beyond this was filled by mistake and is read up to
 * here.
 */
const MAX_RATES = 500_000
/** Rows of one INSERT: SQLite and PostgreSQL limit the number of bound values. */
const ROWS_PER_INSERT = 500

export async function listRates(records: Records): Promise<DatedRate[]> {
  const rows = await records
    .selectFrom('currency_rates')
    .select(['day', 'currency', 'per_usd'])
    .orderBy('day', 'desc')
    .limit(MAX_RATES)
    .execute()
  return rows.map((row) => ({ day: row.day, currency: row.currency, perUsd: row.per_usd }))
}

/** A rate of the same day and currency is replaced. */
export async function saveRates(records: Records, rates: readonly DatedRate[]): Promise<void> {
  await records.transaction().execute(async (tx) => {
    for (let i = 0; i < rates.length; i += ROWS_PER_INSERT) {
      const rows = rates.slice(i, i + ROWS_PER_INSERT)
      await tx
        .insertInto('currency_rates')
        .values(rows.map((rate) => ({ day: rate.day, currency: rate.currency, per_usd: rate.perUsd })))
        .onConflict((conflict) =>
          conflict.columns(['day', 'currency']).doUpdateSet((row) => ({ per_usd: row.ref('excluded.per_usd') })),
        )
        .execute()
    }
  })
}
