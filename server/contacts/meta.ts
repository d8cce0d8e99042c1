// Custom fields of a contact: a short list of keys with plain values, each key once.
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { MAX_META_ENTRIES, MAX_META_KEY, MAX_META_VALUE, type MetaEntry, type MetaValue } from './contact-model.ts'

/**
 * Anybody may call as a visitor: however much such calls bring, most of a contact's entries are left for its
 * owner.
 */
export const MAX_VISITOR_META = 10

/** Beyond these a number is another one when it is read again, or none at all: 1e400 is written as null. */
const isKept = (number: number) =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))

function cleanValue(field: string, value: MetaValue): MetaValue {
  if (typeof value === 'number' && !isKept(value))
    throw invalid(field, `A number in ${field} is too large to be kept exactly: give it as a text.`)
  return typeof value === 'string' ? cleanText(value, MAX_META_VALUE) : value
}

/**
 * Of equal keys the last one counts, in the place of the first.
 * @param field how the caller named the list, for the sentence of the Problem('validation_failed').
 */
export function cleanMeta(field: string, entries: readonly MetaEntry[], most = MAX_META_ENTRIES): MetaEntry[] {
  const values = new Map<string, MetaValue>()
  for (const entry of entries) {
    const key = cleanText(entry.key, MAX_META_KEY).trim()
    if (key === '') throw invalid(field, `A key of ${field} is empty.`)
    values.set(key, cleanValue(field, entry.value ?? null))
  }
  if (values.size > most) throw invalid(field, `There may be at most ${most} entries in ${field}.`)
  return entriesOf(values)
}

const valuesOf = (entries: readonly MetaEntry[]) => new Map(entries.map(({ key, value }) => [key, value]))

const entriesOf = (values: ReadonlyMap<string, MetaValue>): MetaEntry[] =>
  [...values].map(([key, value]) => ({ key, value }))

/**
 * Both clean; what is given overwrites.
 * @throws Problem('validation_failed') when there are more keys than a contact may have.
 */
export function mergeMeta(stored: readonly MetaEntry[], given: readonly MetaEntry[]): MetaEntry[] {
  const values = new Map([...valuesOf(stored), ...valuesOf(given)])
  if (values.size > MAX_META_ENTRIES)
    throw invalid('traits.meta', `A contact may have at most ${MAX_META_ENTRIES} entries in traits.meta.`)
  return entriesOf(values)
}

/**
 * What a visitor adds: new keys for as long as there is room for a visitor's. The rest is left out without a
 * word, which would tell anybody how much is known of a person.
 */
export function fillMeta(stored: readonly MetaEntry[], given: readonly MetaEntry[]): MetaEntry[] {
  const known = valuesOf(stored)
  const room = Math.max(0, MAX_VISITOR_META - known.size)
  return [...stored, ...given.filter(({ key }) => !known.has(key)).slice(0, room)]
}
