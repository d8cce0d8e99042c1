// All conversions of a property in one window, for its overview: with one pass over each table that any of
// them needs.
import type { Span } from '../kernel/window.ts'
import { keysOf, type ScopeFacts, type SessionScope } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { FactTable } from '../stores/tables.ts'
import type { Conversion } from './conversion-model.ts'
import { matching, matchingAs, peopleOf } from './facts.ts'

export interface ConversionCount {
  readonly id: string
  /** Facts that meet it, and sessions with at least one of them: docs/definitions.md, "Conversions". */
  readonly count: number
  readonly sessions: number
}

type Counted = Pick<Conversion, 'id' | 'event_type' | 'event_value'>

/**
 * Of the sessions of the scope. A submission from a page without a tracker has no session: it counts in the
 * window in which it was sent, unless the question is about some of the sessions only.
 */
async function countOn(
  facts: Pick<Facts, 'query'>,
  table: FactTable,
  conversions: readonly Counted[],
  { sessions, isNarrowed }: { readonly sessions: SessionScope; readonly isNarrowed: boolean },
): Promise<ConversionCount[]> {
  const conditions = conversions.map((conversion, index) => matchingAs(`${index}`, conversion))
  const day = table === 'form_events' ? 'session_day' : 'day'
  const isAny = `property = {property:String} AND (${conditions.map(({ sql }) => sql).join(' OR ')})`
  const isOfDays = `${day} BETWEEN {day_from:Date} AND {day_to:Date}`
  const keys = keysOf(sessions, `SELECT ${day}, session FROM ${table} WHERE ${isAny} AND ${isOfDays}`)
  const ofPeople = `(${isOfDays} AND (${day}, session) IN ${keys})`
  const alone = `(session = 0 AND is_bot = 0 AND day BETWEEN {day_from:Date} AND {day_to:Date}
  AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC'))`
  const isCounted = table === 'form_events' && !isNarrowed ? `(${ofPeople} OR ${alone})` : ofPeople
  const columns = conditions.map(
    ({ sql }, index) =>
      `countIf(${sql}) AS count_${index}, uniqExactIf((${day}, session), session != 0 AND ${sql}) AS sessions_${index}`,
  )
  const [row = {}] = await facts.query<Readonly<Record<string, string>>>(
    'automations.countAllConversions',
    `SELECT ${columns.join(', ')} FROM ${table} FINAL
WHERE ${isAny} AND ${isCounted}`,
    Object.assign({}, sessions.params, ...conditions.map(({ params }) => params)),
  )
  return conversions.map(({ id }, index) => ({
    id,
    count: Number(row[`count_${index}`] ?? 0),
    sessions: Number(row[`sessions_${index}`] ?? 0),
  }))
}

/** In no order. @param isNarrowed whether the scope is a part of the sessions of its window. */
export async function countAllConversions(
  facts: Pick<Facts, 'query'>,
  conversions: readonly Counted[],
  scope: { readonly sessions: SessionScope; readonly isNarrowed: boolean },
): Promise<ConversionCount[]> {
  const byTable = Map.groupBy(conversions, (conversion) => matching(conversion).table)
  const counted = await Promise.all([...byTable].map(([table, ofTable]) => countOn(facts, table, ofTable, scope)))
  return counted.flat()
}

/** Of all of them together, over the sessions that began in a span. */
export async function sumConversions(
  facts: Pick<Facts, 'query'> & ScopeFacts,
  propertyId: string,
  conversions: readonly Counted[],
  span: Span,
): Promise<number> {
  if (span.toMs <= span.fromMs) return 0
  const sessions = await peopleOf(facts, propertyId, span)
  const counts = await countAllConversions(facts, conversions, { sessions, isNarrowed: false })
  return counts.reduce((sum, { count }) => sum + count, 0)
}
