// Conversions, and how often each was met.
import { get, type Page, post, remove } from '../api.ts'
import type { Conversion } from '../../server/conversions/conversion-model.ts'
import type {
  AllConversionStatisticsJson as AllConversionStatistics,
  ConversionInputJson as ConversionAsk,
  ConversionChangeJson as ConversionChange,
} from '../../server/conversions/schema.ts'
import type { WindowQuery } from './forms.ts'

export type { AllConversionStatistics, Conversion }
export type ConversionCount = AllConversionStatistics['conversions'][number]

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/conversions${rest}`
const conversionPath = (property: string, id: string): string => pathOf(property, `/${encodeURIComponent(id)}`)

export const listConversions = (property: string, page: number, perPage: number, signal?: AbortSignal) =>
  get<Page<Conversion>>(pathOf(property), { query: { page, per_page: perPage }, signal })

/** All of them, for choosing one: a property has at most 200. */
export async function listAllConversions(property: string, signal?: AbortSignal): Promise<readonly Conversion[]> {
  const first = await listConversions(property, 1, 100, signal)
  if (first.last_page === 1) return first.data
  const second = await listConversions(property, 2, 100, signal)
  return [...first.data, ...second.data]
}

export const readConversion = (property: string, id: string, signal?: AbortSignal) =>
  get<{ conversion: Conversion }>(conversionPath(property, id), { signal })
export const createConversion = (property: string, asked: ConversionAsk) =>
  post<{ conversion: Conversion }>(pathOf(property), asked)
/** What is left out stays. */
export const changeConversion = (property: string, id: string, asked: ConversionChange) =>
  post<{ conversion: Conversion }>(conversionPath(property, id), asked)
export const deleteConversion = (property: string, id: string) => remove(conversionPath(property, id))
export const readConversionStatistics = (property: string, ask: WindowQuery, signal?: AbortSignal) =>
  get<{ statistics: AllConversionStatistics }>(pathOf(property, '/statistics'), { query: { ...ask }, signal })
