// Custom fields of a contact: a short list of keys with plain values, each key once.
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { MAX_META_ENTRIES, MAX_META_KEY, MAX_META_VALUE, type MetaEntry, type MetaValue } from './contact.ts'

function cleanValue(value: MetaValue): MetaValue {
  return typeof value === 'string' ? cleanText(value, MAX_META_VALUE) : value
}

/**
 * Of equal keys the last one counts, in the place of the first.
 * @param field how the caller named the list, for the sentence of the Problem('validation_failed').
 */
export function cleanMeta(field: string, entries: readonly MetaEntry[]): MetaEntry[] {
  const values = new Map<string, MetaValue>()
  for (const entry of entries) {
    const key = cleanText(entry.key, MAX_META_KEY).trim()
    if (key === '') throw invalid(field, `A key of ${field} is empty.`)
    values.set(key, cleanValue(entry.value ?? null))
  }
  return limited(field, values)
}

function limited(field: string, values: ReadonlyMap<string, MetaValue>): MetaEntry[] {
  if (values.size > MAX_META_ENTRIES)
    throw invalid(field, `A contact may have at most ${MAX_META_ENTRIES} entries in ${field}.`)
  return [...values].map(([key, value]) => ({ key, value }))
}

/**
 * Both clean. @param winner whose value stays where both have the key.
 * @throws Problem('validation_failed') when there are more keys than a contact may have.
 */
export function mergeMeta(
  stored: readonly MetaEntry[],
  given: readonly MetaEntry[],
  winner: 'stored' | 'given',
): MetaEntry[] {
  const values = new Map(stored.map(({ key, value }) => [key, value]))
  for (const { key, value } of given) if (winner === 'given' || !values.has(key)) values.set(key, value)
  return limited('traits.meta', values)
}
