// Words of the service in the reader's language, by their ids. One that has no text here is shown as the
// service says it.
import { countryName } from './format.ts'
import { common } from './texts/index.ts'
import type { Period } from './window.ts'

type Words = Readonly<Record<string, string>>

export const wordOf = (words: Words, id: string): string | undefined =>
  Object.hasOwn(words, id) ? words[id] : undefined

export const channelName = (id: string, label: string): string => wordOf(common.channels, id) ?? label
export const deviceName = (id: string): string => wordOf(common.devices, id) ?? id
/** Most sources are names or hosts, which stay as they are. */
export const sourceName = (source: string): string => wordOf(common.sources, source) ?? source
/** Of a custom range, the service says the days. */
export const periodName = (period: Period, showing: string): string =>
  period === 'custom' ? showing : common.period.names[period]
/** Of a country whose code is not known, the name. */
export const placeName = (code: string | null | undefined, name: string): string =>
  code === null || code === undefined || code === '' ? name : countryName(code)
