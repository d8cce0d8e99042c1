// Conversions of a property in one window, one or all: with one pass over each table that any of them needs.
import type { Span } from '../kernel/window.ts'
import {
  bindCut,
  type InParts,
  isRecentByDay,
  isRecentByTime,
  perSession,
  type RowsQuery,
  type ScopeFacts,
  sessionRows,
  type SessionScope,
  summedDays,
  type Sums,
} from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { FactTable } from '../stores/tables.ts'
import type { Conversion } from './conversion-model.ts'
import { matching, matchingAs, pathOf, peopleOf, withoutSession } from './facts.ts'

export interface ConversionCount {
  readonly id: string
  /** Facts that meet it, and sessions with at least one of them: docs/definitions.md, "Conversions". */
  readonly count: number
  readonly sessions: number
}

export type Counted = Pick<Conversion, 'id' | 'event_type' | 'event_value'>

/** Of which sessions they are counted: of all people of a window, or of some of its sessions. */
export type ConversionScope = { readonly everybody: RowsQuery } | { readonly sessions: SessionScope }

type CountFacts = Pick<Facts, 'query' | 'layout'>

/** Of one table. */
interface Counting {
  readonly table: FactTable
  readonly conversions: readonly Counted[]
  readonly scope: ConversionScope
  /** Of the days of which what meets them is added up already. */
  readonly sums: Sums | undefined
}

type Row = Readonly<Record<string, string>> & { readonly is_recent: number }

/** Sums of what meets conversions of a table: those of pages are read by their list too. */
function summedOf(table: FactTable, sums: Sums) {
  if (table === 'views')
    return {
      stored: sums.sql('settled_pages', ['day', 'path', 'loads', 'sessions']),
      number: 'loads',
      ofEach: (_conversion: Counted, value: string) => `path = ${value}`,
    }
  return {
    stored: sums.sql('settled_conversions', ['day', 'type', 'is_any', 'value', 'number', 'sessions']),
    number: 'number',
    ofEach: ({ event_type, event_value }: Counted, value: string) =>
      `type = '${event_type}' AND ${event_value === null ? 'is_any = 1' : `is_any = 0 AND value = ${value}`}`,
  }
}

/**
 * What is counted in each place, to be added up: `is_recent`, `counted_0`, `met_0` and so on, one pair for
 * each.
 */
function placesOf(facts: CountFacts, { table, conversions, scope, sums }: Counting) {
  const conditions = conversions.map((conversion, index) => matchingAs(`${index}`, conversion))
  const each = (write: (index: number, sql: string) => string): string =>
    conditions.map(({ sql }, index) => write(index, sql)).join(', ')
  const isAny = `property = {property:String} AND (${conditions.map(({ sql }) => sql).join(' OR ')})`
  const sessions = sums?.rows ?? ('everybody' in scope ? sessionRows(scope.everybody) : scope.sessions)
  const day = table === 'form_events' ? 'session_day' : 'day'
  const isOfDays = sums ? `${day} IN {open_days:Array(Date)}` : `${day} BETWEEN {day_from:Date} AND {day_to:Date}`
  const places: string[] = []
  if (sums) {
    const { stored, number, ofEach } = summedOf(table, sums)
    const is = (index: number) => `(${ofEach(conversions[index]!, `{value_${index}:String}`)})`
    places.push(
      `(SELECT ${isRecentByDay('sums.day')}, ${each((n) => `sumIf(${number}, ${is(n)}) AS counted_${n}, sumIf(sums.sessions, ${is(n)}) AS met_${n}`)}
FROM ${stored} AS sums WHERE ${conversions.map((_, index) => is(index)).join(' OR ')} GROUP BY is_recent)`,
    )
  }
  if (!sums || sums.hasRows)
    places.push(
      perSession(sessions, facts.layout, {
        table,
        day,
        condition: `${isAny} AND ${isOfDays}`,
        sums: each((n, sql) => `countIf(${sql}) AS hits_${n}`),
        ofPart: isRecentByDay('own_day'),
        totals: each((n) => `sum(hits_${n}) AS counted_${n}, countIf(hits_${n} > 0) AS met_${n}`),
      }),
    )
  if (table === 'form_events' && 'everybody' in scope)
    places.push(
      `(SELECT ${isRecentByTime}, ${each((n, sql) => `countIf(${sql}) AS counted_${n}, toUInt64(0) AS met_${n}`)}
FROM ${table} FINAL WHERE ${isAny} AND ${withoutSession} GROUP BY is_recent)`,
    )
  const open = sums && { ...sums.params, open_days: sums.openDays }
  return { places, params: Object.assign({}, sessions.params, open, ...conditions.map(({ params }) => params)) }
}

async function countOn(facts: CountFacts, counting: Counting, cutMs?: number): Promise<InParts<ConversionCount>> {
  const { conversions } = counting
  const { places, params } = placesOf(facts, counting)
  const totals = conversions.map((_, n) => `sum(counted_${n}) AS count_${n}, sum(met_${n}) AS sessions_${n}`)
  const columns = conversions.map((_, n) => `counted_${n}, met_${n}`).join(', ')
  const rows = await facts.query<Row>(
    'automations.countAllConversions',
    `SELECT is_recent, ${totals.join(', ')} FROM (
${places.map((place) => `SELECT is_recent, ${columns} FROM ${place}`).join('\nUNION ALL\n')}
) GROUP BY is_recent`,
    { ...params, ...bindCut(cutMs) },
  )
  const countsOf = (part: number) => {
    const row = rows.find(({ is_recent }) => is_recent === part)
    return conversions.map(({ id }, n) => ({
      id,
      count: Number(row?.[`count_${n}`] ?? 0),
      sessions: Number(row?.[`sessions_${n}`] ?? 0),
    }))
  }
  return { past: countsOf(0), recent: countsOf(1) }
}

/** What is counted of each table: pages of which sums tell apart from others, and whatever else there is. */
function countingOf(conversions: readonly Counted[], scope: ConversionScope): Counting[] {
  const sums = 'everybody' in scope ? summedDays(scope.everybody, () => true) : undefined
  const isSummed = (conversion: Counted) =>
    sums !== undefined && (matching(conversion).table !== 'views' || pathOf(conversion) !== undefined)
  const [summed, others] = [conversions.filter(isSummed), conversions.filter((one) => !isSummed(one))]
  const byTable = (some: readonly Counted[], known: Sums | undefined): Counting[] =>
    [...Map.groupBy(some, (conversion) => matching(conversion).table)].map(([table, own]) => ({
      table,
      conversions: own,
      scope,
      sums: known,
    }))
  return [...byTable(others, undefined), ...byTable(summed, sums)]
}

/**
 * In no order. A submission from a page without a tracker has no session: it counts in the window in which it
 * was sent, unless only some of the sessions count.
 * @param cutMs in each part of the window that is cut then.
 */
export async function countAllConversions(
  facts: CountFacts,
  conversions: readonly Counted[],
  scope: ConversionScope,
  cutMs?: number,
): Promise<InParts<ConversionCount>> {
  const counted = await Promise.all(countingOf(conversions, scope).map((counting) => countOn(facts, counting, cutMs)))
  return { past: counted.flatMap(({ past }) => past), recent: counted.flatMap(({ recent }) => recent) }
}

/** Of all of them together, over the sessions that began in a span. */
export async function sumConversions(
  facts: Pick<Facts, 'query'> & ScopeFacts,
  propertyId: string,
  conversions: readonly Counted[],
  span: Span,
): Promise<number> {
  if (span.toMs <= span.fromMs) return 0
  const everybody = await peopleOf(facts, propertyId, span)
  const { past: counts } = await countAllConversions(facts, conversions, { everybody })
  return counts.reduce((sum, { count }) => sum + count, 0)
}
