// What advertising cost, by day, source, medium and campaign.
import { get, type Page, post } from '../api.ts'
import type { CostsJson, ImportedJson } from '../../server/costs/schema.ts'

export type Imported = ImportedJson
export type CostRow = CostsJson['data'][number]

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/costs${rest}`

export const listCosts = (
  property: string,
  page: number,
  per_page: number,
  signal?: AbortSignal,
): Promise<Page<CostRow>> => get(pathOf(property), { query: { page, per_page }, signal })

/** @param isTrial everything is checked and counted, and nothing is written. */
export const importCosts = (property: string, csv: string, isTrial: boolean): Promise<Imported> =>
  post(pathOf(property, '/import'), { csv, is_trial: isTrial })

export const removeCosts = (property: string, days: { readonly from: string; readonly to: string }) =>
  post<{ readonly removed: number }>(pathOf(property, '/remove'), days)
