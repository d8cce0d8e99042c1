// How often a conversion was met in a window, and by which part of the sessions (docs/definitions.md, "Conversions").
import type { Deps } from '../kernel/deps.ts'
import { parseWindow, type WindowAsk } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import { type Definition, readConversionFigures } from './conversion-facts.ts'

const DECIMALS = 10_000

/** @throws Problem('validation_failed') for a window that cannot be. */
export async function readConversionStatistics(
  { facts, now }: Pick<Deps, 'facts' | 'now'>,
  property: Pick<Property, 'id' | 'default_period'>,
  conversion: Definition,
  ask: WindowAsk,
) {
  const window = parseWindow(ask, now(), property.default_period)
  const { conversions, converted, sessions } = await readConversionFigures(facts, property.id, window, conversion)
  return {
    period: window.period,
    date_from: window.dateFrom,
    date_to: window.dateTo,
    showing: window.showing,
    conversions,
    converted,
    sessions,
    rate: sessions === 0 ? 0 : Math.round((converted / sessions) * DECIMALS) / DECIMALS,
  }
}
