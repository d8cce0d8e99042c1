// What advertising cost, by day, source, medium and campaign: listed, removed, and read by those who tell
// what came of it. Read from the records each time: what was imported is there at once.
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { type Cost, isDay } from './cost-model.ts'
import type { Records } from '../stores/records.ts'
import { deleteCosts, listCostRows } from './records.ts'

export { costBatches, everyCost, hasCosts } from './records.ts'
export type { Cost } from './cost-model.ts'

interface RecordDeps {
  readonly records: Records
}

export async function listCosts({ records }: RecordDeps, propertyId: string, query: PageQuery): Promise<Listed<Cost>> {
  return listCostRows(records, propertyId, query)
}

interface Removal {
  readonly from: string
  readonly to: string
  readonly source?: string | null | undefined
}

/** @returns how many rows. @throws Problem('validation_failed') */
export async function removeCosts({ records }: RecordDeps, propertyId: string, ask: Removal) {
  for (const field of ['from', 'to'] as const)
    if (!isDay(ask[field])) throw invalid(field, `${field} must be a date as 2026-01-31.`)
  if (ask.to < ask.from) throw invalid('to', 'to must not be before from.')
  return deleteCosts(records, propertyId, { fromDay: ask.from, toDay: ask.to, source: ask.source ?? undefined })
}
