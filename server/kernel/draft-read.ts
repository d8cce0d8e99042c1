// Reads what an owner wrote, from the management API or a file: each value is validated once, each fault
// named by its path.
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'

export type Members = Readonly<Record<string, unknown>>

/** @throws Problem('validation_failed') */
export function readObject(path: string, value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(path, `${path} must be an object.`)
  return value as Members
}

/** @throws Problem('validation_failed') */
export function readList(path: string, value: unknown, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, `${path} must be a list.`)
  if (value.length > max) throw invalid(path, `${path} may have at most ${max} items.`)
  return value
}

/** Trimmed; '' for nothing. @throws Problem('validation_failed') */
export function readText(path: string, value: unknown, max: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw invalid(path, `${path} must be a text.`)
  if ([...value].length > max) throw invalid(path, `${path} may have at most ${max} characters.`)
  return cleanText(value, max).trim()
}

/** Null for nothing and for blanks. @throws Problem('validation_failed') */
export const readMaybeText = (path: string, value: unknown, max: number): string | null =>
  readText(path, value, max) || null

/** @throws Problem('validation_failed') */
export function readNeededText(path: string, value: unknown, max: number): string {
  const text = readText(path, value, max)
  if (text === '') throw invalid(path, `${path} may not be empty.`)
  return text
}

/** One of the words; the first for nothing. @throws Problem('validation_failed') */
export function readWord<Word extends string>(path: string, value: unknown, words: readonly Word[]): Word {
  const word = value === undefined || value === null ? words[0] : words.find((each) => each === value)
  if (word === undefined) throw invalid(path, `${path} must be one of: ${words.join(', ')}.`)
  return word
}

/** @throws Problem('validation_failed') */
export function readBoolean(path: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid(path, `${path} must be true or false.`)
  return value
}

/** Null for nothing. @throws Problem('validation_failed') */
export function readWhole(path: string, value: unknown, least: number, most: number): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw invalid(path, `${path} must be a whole number from ${least} to ${most}, or null.`)
  return value
}
