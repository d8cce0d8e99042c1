// Conversions of a window: of all of it, of today, or of both parts that it is put together of.
import { rowsAndKeysOf, type Scope } from '../analytics/facts.ts'
import { mergeCounts } from '../analytics/merging.ts'
import { round } from '../analytics/metrics.ts'
import { everybody } from '../analytics/summed.ts'
import { type Conversion, type ConversionCount, countAllConversions, countedOf } from '../conversions/conversions.ts'
import type { InParts } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { type CutScope, isOfEvents, type Kept } from './kept.ts'
import { SHOWN } from './outcomes.ts'

/** @param cutMs in each part of the scope, which is cut then. */
export async function countConversions(facts: Facts, scope: Scope, conversions: readonly Conversion[], cutMs?: number) {
  if (conversions.length === 0) return { past: [], recent: [] }
  const all = await everybody(facts, scope, ['day', 'session'])
  const whose = all ? { everybody: all } : { sessions: await rowsAndKeysOf(facts, scope, countedOf(conversions)) }
  return countAllConversions(facts, conversions, whose, cutMs)
}

export const readConversions = async (
  facts: Facts,
  scope: Scope,
  conversions: readonly Conversion[],
): Promise<readonly ConversionCount[]> => (await countConversions(facts, scope, conversions)).past

/** Those that events and forms meet, of which more is kept, and the others. */
const byKeeping = (conversions: readonly Conversion[]) =>
  [conversions.filter(isOfEvents), conversions.filter((one) => !isOfEvents(one))] as const

/** The same of today. */
export async function readConversionsToday(
  facts: Facts,
  scope: Scope,
  conversions: readonly Conversion[],
  kept: Kept,
): Promise<readonly ConversionCount[]> {
  const [ofEvents, others] = byKeeping(conversions)
  const counts = await Promise.all([
    kept.ofEvents(keyOfConversions(ofEvents), () => readConversions(facts, scope, ofEvents)),
    readConversions(facts, scope, others),
  ])
  return counts.flat()
}

/** Of both parts of the scope. */
export async function readConversionParts(
  facts: Facts,
  scope: Scope,
  conversions: readonly Conversion[],
  { recent, kept }: CutScope,
): Promise<InParts<ConversionCount>> {
  const counts = await countConversions(facts, scope, conversions, recent.span.fromMs)
  const [ofEvents, others] = byKeeping(conversions)
  const recentOf = (some: readonly Conversion[]) =>
    counts.recent.filter((count) => some.some(({ id }) => id === count.id))
  const today = await kept.ofEvents(keyOfConversions(ofEvents), async () => recentOf(ofEvents))
  return { past: counts.past, recent: [...today, ...recentOf(others)] }
}

const keyOfConversions = (conversions: readonly Conversion[]) => ['conversions', definitionsOf(conversions)]

/** Conversions are of one session each, and a session of one day: so the parts of a window add up. */
export const mergeConversions = (past: readonly ConversionCount[], recent: readonly ConversionCount[]) =>
  mergeCounts(past, recent, 'id', Infinity) ?? []

/** What tells them apart for the facts. */
export const definitionsOf = (conversions: readonly Conversion[]) =>
  conversions.map(({ id, event_type, event_value }) => [id, event_type, event_value])

/** By sessions, then by count; of equal ones the newest first. */
export function shownConversions(
  conversions: readonly Conversion[],
  counts: readonly ConversionCount[],
  sessions: number,
) {
  const byId = new Map(counts.map((count) => [count.id, count]))
  const rows = conversions.map(({ id, name }) => {
    const { count = 0, sessions: converted = 0 } = byId.get(id) ?? {}
    return { id, name, count, sessions: converted, rate: sessions === 0 ? 0 : round(converted / sessions, 4) }
  })
  return rows.toSorted((a, b) => b.sessions - a.sessions || b.count - a.count).slice(0, SHOWN)
}
