// Conversions of a property in one window, one or all: with one pass over each table that any of them needs,
// and one statement for all of which settled days have sums, since to plan one takes longer than to run it.
import type { Span } from '../kernel/window.ts'
import {
  bindCut,
  foldedDaysOf,
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
import type { SessionColumn } from '../stores/session-columns.ts'
import type { Conversion } from './conversion-model.ts'
import { matching, matchingAs, pagesMetAs, pathOf, peopleOf, withoutSession } from './facts.ts'

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

/** One of those that a statement counts, and its place among them. */
interface Numbered {
  readonly n: number
  readonly conversion: Counted
}

/** Of one statement. */
interface Counting {
  readonly conversions: readonly Numbered[]
  readonly scope: ConversionScope
  /** Of the days of which what meets them is added up already. */
  readonly sums: Sums | undefined
}

type Row = Readonly<Record<string, string>> & { readonly is_recent: number }

/** What is counted there of some of them: SELECT of `is_recent`, and `counted_0`, `met_0` and so on. */
interface Place {
  readonly of: readonly Numbered[]
  readonly sql: string
}

const eachOf = (of: readonly Numbered[], write: (one: Numbered) => string): string => of.map(write).join(', ')

const conditionOf = ({ n, conversion }: Numbered) => matchingAs(`${n}`, conversion)
const isAnyOf = (of: readonly Numbered[]): string =>
  `property = {property:String} AND (${of.map((one) => conditionOf(one).sql).join(' OR ')})`

const byTable = (conversions: readonly Numbered[]) => [
  ...Map.groupBy(conversions, ({ conversion }) => matching(conversion).table),
]

/** Sums of what meets conversions: those of pages are read by their list too. */
function summedPlaces(conversions: readonly Numbered[], sums: Sums): Place[] {
  const { pages = [], others = [] } = Object.groupBy(conversions, ({ conversion }) =>
    matching(conversion).table === 'views' ? 'pages' : 'others',
  )
  const place = (
    of: readonly Numbered[],
    stored: string,
    number: string,
    isOf: (one: Counted, value: string) => string,
  ) => {
    const is = ({ n, conversion }: Numbered) => `(${isOf(conversion, `{value_${n}:String}`)})`
    const added = (one: Numbered) =>
      `sumIf(${number}, ${is(one)}) AS counted_${one.n}, sumIf(sums.sessions, ${is(one)}) AS met_${one.n}`
    const sql = `(SELECT ${isRecentByDay('sums.day')}, ${eachOf(of, added)}
FROM ${stored} AS sums WHERE ${of.map(is).join(' OR ')} GROUP BY is_recent)`
    return of.length > 0 ? [{ of, sql }] : []
  }
  const ofPages = sums.sql('settled_pages', ['day', 'path', 'loads', 'sessions'])
  const ofOthers = sums.sql('settled_conversions', ['day', 'type', 'is_any', 'value', 'number', 'sessions'])
  return [
    ...place(pages, ofPages, 'loads', (_, value) => `path = ${value}`),
    ...place(others, ofOthers, 'number', ({ event_type, event_value }, value) => {
      const isValue = event_value === null ? 'is_any = 1' : `is_any = 0 AND value = ${value}`
      return `type = '${event_type}' AND ${isValue}`
    }),
  ]
}

/** Over what each session met. */
const totalsOf = (of: readonly Numbered[]): string =>
  eachOf(of, ({ n }) => `sum(hits_${n}) AS counted_${n}, countIf(hits_${n} > 0) AS met_${n}`)

/** What the sessions of the scope met in a table. @param days of these alone: the name of an array. */
function placeOfTable(
  { layout }: CountFacts,
  sessions: SessionScope,
  days: 'open_days' | 'folded_days' | undefined,
  [table, of]: ReturnType<typeof byTable>[number],
): Place {
  const day = table === 'form_events' ? 'session_day' : 'day'
  const isOfDays = days ? `${day} IN {${days}:Array(Date)}` : `${day} BETWEEN {day_from:Date} AND {day_to:Date}`
  return {
    of,
    sql: perSession(sessions, layout, {
      table,
      day,
      condition: `${isAnyOf(of)} AND ${isOfDays}`,
      sums: eachOf(of, (one) => `countIf(${conditionOf(one).sql}) AS hits_${one.n}`),
      ofPart: isRecentByDay('own_day'),
      totals: totalsOf(of),
    }),
  }
}

/** What sessions met whose rows name their pages. */
function placeOfPages({ sql }: SessionScope, of: readonly Numbered[]): Place {
  const hits = eachOf(of, ({ n, conversion }) => `${pagesMetAs(`${n}`, conversion)} AS hits_${n}`)
  return {
    of,
    sql: `(SELECT ${isRecentByDay('own_day')}, ${totalsOf(of)} FROM (SELECT day AS own_day, ${hits} FROM ${sql}) GROUP BY is_recent)`,
  }
}

/** The same of all that the sessions of the scope met, those of summed days left out. */
function placesOfSessions(facts: CountFacts, sessions: SessionScope, sums: Sums | undefined, of: readonly Numbered[]) {
  return byTable(of).flatMap((own) => {
    const { foldedDays } = sessions
    if (sums || own[0] !== 'views' || !foldedDays) return [placeOfTable(facts, sessions, sums && 'open_days', own)]
    const pages = placeOfPages(sessions, own[1])
    return foldedDays.length > 0 ? [pages, placeOfTable(facts, sessions, 'folded_days', own)] : [pages]
  })
}

/** Submissions of nobody's session, which count in the window in which they were sent. */
const placeOfNobody = (of: readonly Numbered[]): Place => ({
  of,
  sql: `(SELECT ${isRecentByTime}, ${eachOf(of, (one) => `countIf(${conditionOf(one).sql}) AS counted_${one.n}, toUInt64(0) AS met_${one.n}`)}
FROM form_events FINAL WHERE ${isAnyOf(of)} AND ${withoutSession} GROUP BY is_recent)`,
})

/** The columns of sessions of which conversions are counted. */
export const countedOf = (conversions: readonly Counted[]): readonly SessionColumn[] =>
  conversions.some((one) => matching(one).table === 'views') ? ['day', 'session', 'paths'] : ['day', 'session']

function everySessionOf(everybody: RowsQuery, conversions: readonly Numbered[]): SessionScope {
  const columns = countedOf(conversions.map(({ conversion }) => conversion))
  const rows = sessionRows({ ...everybody, columns })
  return columns.includes('paths') ? { ...rows, foldedDays: foldedDaysOf(everybody) } : rows
}

/** What is counted in each place, to be added up. */
function placesOf(facts: CountFacts, { conversions, scope, sums }: Counting) {
  const sessions = sums?.rows ?? ('everybody' in scope ? everySessionOf(scope.everybody, conversions) : scope.sessions)
  const sent = byTable(conversions).filter(([table]) => table === 'form_events' && 'everybody' in scope)
  const places = [
    ...(sums ? summedPlaces(conversions, sums) : []),
    ...(!sums || sums.hasRows ? placesOfSessions(facts, sessions, sums, conversions) : []),
    ...sent.map(([, of]) => placeOfNobody(of)),
  ]
  const open = sums && { ...sums.params, open_days: sums.openDays }
  const folded = sessions.foldedDays && { folded_days: sessions.foldedDays }
  const bound = conversions.map((one) => conditionOf(one).params)
  return { places, params: Object.assign({}, sessions.params, open, folded, ...bound) }
}

async function countOn(facts: CountFacts, counting: Counting, cutMs?: number): Promise<InParts<ConversionCount>> {
  const { conversions } = counting
  const { places, params } = placesOf(facts, counting)
  const totals = eachOf(conversions, ({ n }) => `sum(counted_${n}) AS count_${n}, sum(met_${n}) AS sessions_${n}`)
  const columnsOf = ({ of }: Place) => {
    const own = new Set(of.map(({ n }) => n))
    return eachOf(conversions, ({ n }) =>
      own.has(n) ? `counted_${n}, met_${n}` : `toUInt64(0) AS counted_${n}, toUInt64(0) AS met_${n}`,
    )
  }
  const rows = await facts.query<Row>(
    'automations.countAllConversions',
    `SELECT is_recent, ${totals} FROM (
${places.map((place) => `SELECT is_recent, ${columnsOf(place)} FROM ${place.sql}`).join('\nUNION ALL\n')}
) GROUP BY is_recent`,
    { ...params, ...bindCut(cutMs) },
  )
  const countsOf = (part: number) => {
    const row = rows.find(({ is_recent }) => is_recent === part)
    return conversions.map(({ n, conversion }) => ({
      id: conversion.id,
      count: Number(row?.[`count_${n}`] ?? 0),
      sessions: Number(row?.[`sessions_${n}`] ?? 0),
    }))
  }
  return { past: countsOf(0), recent: countsOf(1) }
}

/**
 * What a statement counts: of some of the sessions all, of others all of which sums tell, pages apart from
 * others, and of the rest what one table has.
 */
function countingOf(conversions: readonly Counted[], scope: ConversionScope): Counting[] {
  const all = conversions.map((conversion, n) => ({ n, conversion }))
  if ('sessions' in scope) return all.length > 0 ? [{ conversions: all, scope, sums: undefined }] : []
  const sums = summedDays(scope.everybody, () => true)
  const isSummed = ({ conversion }: Numbered) =>
    sums !== undefined && (matching(conversion).table !== 'views' || pathOf(conversion) !== undefined)
  const [summed, others] = [all.filter(isSummed), all.filter((one) => !isSummed(one))]
  return [
    ...byTable(others).map(([, own]) => ({ conversions: own, scope, sums: undefined })),
    ...(summed.length > 0 ? [{ conversions: summed, scope, sums }] : []),
  ]
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
