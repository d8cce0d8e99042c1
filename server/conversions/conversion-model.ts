// What a conversion is: which triggers it can count, and how many a property may have.
import type { TriggerType } from '../kernel/triggers.ts'
import type { ConversionJson } from './schema.ts'

export const MAX_CONVERSIONS = 200

/** What conversions count. Not `contact`: the facts know nothing of what changes in a contact. */
export const countedTypes = [
  'form_submit',
  'event',
  'page_view',
  'acquisition',
  'identify',
] as const satisfies readonly TriggerType[]

export type Conversion = ConversionJson
