// What a conversion is, and how many a property may have.
import type { ConversionJson } from './schema.ts'

export const MAX_CONVERSIONS = 200

export type Conversion = ConversionJson
