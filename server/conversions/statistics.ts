// How often a conversion was met in a window, and by which part of the sessions (docs/definitions.md,
// "Conversions").
import type { Deps } from '../kernel/deps.ts'
import type { SortQuery, SortValues } from '../kernel/sorting.ts'
import { parseWindow, windowJson, type WindowDefaults, type WindowQuery } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import { sessionRows, withBeginning } from '../sessions/sessions.ts'
import { countPeople, type Definition, peopleOf } from './facts.ts'
import { countAllConversions, type Counted } from './top-facts.ts'
import { type Conversion, MAX_CONVERSIONS } from './conversion-model.ts'
import { listConversions } from './conversions.ts'
import type { AllConversionStatisticsJson, ConversionSort, ConversionStatisticsJson } from './schema.ts'

const DECIMALS = 10_000

const rateOf = (converted: number, sessions: number): number =>
  sessions === 0 ? 0 : Math.round((converted / sessions) * DECIMALS) / DECIMALS

/**
 * All at once, with one pass over each table that any of them needs.
 * @throws Problem('validation_failed') for a window that cannot be.
 */
export async function readAllConversionStatistics(
  { facts, now }: Pick<Deps, 'facts' | 'now'>,
  property: Pick<Property, 'id'> & WindowDefaults,
  conversions: readonly Counted[],
  query: WindowQuery,
): Promise<AllConversionStatisticsJson> {
  const window = parseWindow(query, now(), await withBeginning(facts, property, query))
  const everybody = await peopleOf(facts, property.id, window)
  const [sessions, { past: counts }] = await Promise.all([
    countPeople(facts, sessionRows(everybody)),
    countAllConversions(facts, conversions, { everybody }),
  ])
  const byId = new Map(counts.map((count) => [count.id, count]))
  return {
    ...windowJson(window),
    sessions,
    conversions: conversions.map(({ id }) => {
      const { count = 0, sessions: converted = 0 } = byId.get(id) ?? {}
      return { id, conversions: count, converted, rate: rateOf(converted, sessions) }
    }),
  }
}

/**
 * Of one, which need not be stored.
 * @throws Problem('validation_failed') for a window that cannot be.
 */
export async function readConversionStatistics(
  deps: Pick<Deps, 'facts' | 'now'>,
  property: Pick<Property, 'id'> & WindowDefaults,
  conversion: Definition,
  query: WindowQuery,
): Promise<ConversionStatisticsJson> {
  const all = await readAllConversionStatistics(deps, property, [{ ...conversion, id: '' }], query)
  const { conversions, converted, rate } = all.conversions[0]!
  return { ...all, conversions, converted, rate }
}

/** What conversions are sorted by. Nothing is counted for an order that needs no counts. */
export async function conversionValues(
  deps: Pick<Deps, 'facts' | 'now' | 'records'>,
  property: Pick<Property, 'id'> & WindowDefaults,
  { sort, ...window }: WindowQuery & SortQuery<ConversionSort>,
): Promise<SortValues<Conversion, ConversionSort>> {
  const isCounted = sort !== undefined && sort !== 'name'
  const { rows } = isCounted
    ? await listConversions(deps, property.id, { page: 1, perPage: MAX_CONVERSIONS })
    : { rows: [] }
  const counted = isCounted ? (await readAllConversionStatistics(deps, property, rows, window)).conversions : []
  const byId = new Map(counted.map((count) => [count.id, count]))
  return {
    name: ({ name }) => name,
    converted: ({ id }) => byId.get(id)?.converted ?? null,
    conversions: ({ id }) => byId.get(id)?.conversions ?? null,
    rate: ({ id }) => byId.get(id)?.rate ?? null,
  }
}
