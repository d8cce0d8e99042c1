// Conversions, and how often each was met.
import { get, type OrderAsk, type Page, post, remove } from '../api.ts'
import type { Conversion } from '../../server/conversions/conversion-model.ts'
import type {
  AllConversionStatisticsJson as AllConversionStatistics,
  ConversionInputJson as ConversionAsk,
  ConversionChangeJson as ConversionChange,
  ConversionSort,
} from '../../server/conversions/schema.ts'
import type { WindowQuery } from './forms.ts'

export type { AllConversionStatistics, Conversion, ConversionSort }
export type ConversionCount = AllConversionStatistics['conversions'][number]

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/conversions${rest}`
const conversionPath = (property: string, id: string): string => pathOf(property, `/${encodeURIComponent(id)}`)

export interface ConversionsAsk extends OrderAsk, Partial<WindowQuery> {
  readonly page: number
  readonly per_page: number
}

export const listConversions = (property: string, ask: ConversionsAsk, signal?: AbortSignal) =>
  get<Page<Conversion>>(pathOf(property), { query: { ...ask }, signal })

/** All of them, for choosing one: a property has at most 200. */
export async function listAllConversions(property: string, signal?: AbortSignal): Promise<readonly Conversion[]> {
  const first = await listConversions(property, { page: 1, per_page: 100 }, signal)
  if (first.last_page === 1) return first.data
  const second = await listConversions(property, { page: 2, per_page: 100 }, signal)
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
