// What the actions of `footfall content` share.
import { type readOptions, UsageError } from './command.ts'

export const options = {
  name: { type: 'string' },
  key: { type: 'string' },
  goal: { type: 'string' },
  label: { type: 'string' },
  html: { type: 'string' },
  cta: { type: 'string', multiple: true },
  weight: { type: 'string', multiple: true, default: [] as string[] },
  active: { type: 'boolean', default: false },
  inactive: { type: 'boolean', default: false },
  phase: { type: 'string' },
  yes: { type: 'boolean', default: false },
  property: { type: 'string' },
} as const

export type ContentValues = ReturnType<typeof readOptions<typeof options>>['values']

/** @param words after the name of the action. */
export type ContentAction = (values: ContentValues, words: readonly string[]) => Promise<void>

/** The rules check the limits. @throws UsageError */
export function readWeight(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--weight must be a whole number')
  return Number(text)
}
