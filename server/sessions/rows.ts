// The sessions of people that began in a window, as rows of plain columns: what days that are settled hold
// as such, and the rest folded. What is asked of them stands around it, so that a question has one text and
// each of its sets is made once.
import { dayFromText, dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import type { Facts, FactsLayout } from '../stores/facts.ts'
import { isLatest, isRunningColumn, keptColumns, roundParams, type RunningDay } from '../stores/running-columns.ts'
import type { SettledDays } from '../stores/settled/settled.ts'
import { storedName } from '../stores/migrations/facts.ts'
import { isCounted, plainColumns, type SessionColumn } from '../stores/session-columns.ts'
import { foldedSessions, keptSessions, laterVisits, type TouchColumn } from '../stores/visit-columns.ts'
import { daysBetween, heldOf, heldParams, ofCopies } from './held.ts'
import type { SessionScope } from './scope.ts'

/** Binds the property, and days and times between which the sessions began. */
export interface Within {
  readonly property: string
  /** YYYY-MM-DD, both inside. */
  readonly day_from: string
  readonly day_to: string
  readonly from_ms: number
  readonly to_ms: number
}

/** A window may begin before the first day that the facts can hold, and end after the last one. */
export function boundsOf(propertyId: string, { fromMs, toMs }: Span): Within {
  const day = (timeMs: number) => storedDay(dayOf(timeMs))
  return { property: propertyId, day_from: day(fromMs), day_to: day(toMs - 1), from_ms: fromMs, to_ms: toMs }
}

/** Whose they are, where nothing else is said. */
export const ofOneProperty = 'property = {property:String}'

/** Asked of the facts: all of them. */
export const everySession = { sql: '1', params: {} } as const

export const ofDays = (ofProperty: string): string => `${ofProperty} AND day BETWEEN {day_from:Date} AND {day_to:Date}`
const withinTimes =
  "entry_at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND entry_at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')"
const withinOf = (ofProperty: string): string => `${ofDays(ofProperty)}\n  AND ${withinTimes}`

/** A day whose sessions are kept as rows. @param place among those of the statement. */
const runningDayOf = (place: number): string => `{running_${place}:Date}`

const noDays: SettledDays = new Map()
const noDay: ReadonlySet<string> = new Set()

/** What has to be known of the store before a question. */
export type ScopeFacts = Pick<Facts, 'settledDays' | 'runningDay' | 'hasMarks' | 'layout'>

/** Which sessions, and what is known of the store. */
export interface RowsQuery {
  readonly settled: SettledDays
  readonly layout: FactsLayout
  /** Whether the property has sessions that are marked as invalid. */
  readonly hasMarks: boolean
  readonly bounds: Within
  /**
   * The condition on `property`, where it is not that one of the bounds; its caller binds what it names. The
   * rows have the property then.
   */
  readonly ofProperty?: string
  readonly columns: Iterable<SessionColumn>
  /** On the same columns. */
  readonly condition: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> }
  /** Those of bots instead, of which nothing is settled. */
  readonly ofBots?: boolean | undefined
  /**
   * Those alone that have events or a contact; of days that are not settled also others. Of most sessions
   * nothing came, so this takes much less.
   */
  readonly isEventful?: boolean | undefined
  /** Those of the days that are not settled whose sessions are kept as rows. */
  readonly running?: readonly RunningDay[]
  /** Settled days that are left out: their sums are read instead (sums.ts). */
  readonly without?: ReadonlySet<string>
}

/**
 * Days at the end of a window that may be kept as rows: today, and yesterday until it is settled, which no
 * statement should fold anew.
 */
const RUNNING_DAYS = 2

/** What has to be known of the store for a question about the sessions of one property. */
export async function knownOf(
  { settledDays, runningDay, hasMarks, layout }: ScopeFacts,
  propertyId: string,
  span: Span,
): Promise<Pick<RowsQuery, 'settled' | 'running' | 'layout' | 'hasMarks' | 'bounds'>> {
  const bounds = boundsOf(propertyId, span)
  const [settled, ofMarked] = await Promise.all([settledDays(), hasMarks(propertyId)])
  const last = dayFromText(bounds.day_to)
  const days = Array.from({ length: RUNNING_DAYS }, (_, before) => storedDay(last - before))
  const open = days.filter((day) => day >= bounds.day_from && !settled.has(day))
  const running = await Promise.all(open.map((day) => runningDay(propertyId, day)))
  return { settled, running: running.filter((day) => day !== undefined), layout, hasMarks: ofMarked, bounds }
}

/**
 * The table's part on each node, for what stands in `cluster(…, view(…))`: another node does not know the
 * database of this connection.
 */
export function onEachNode(table: string, layout: FactsLayout): string {
  const stored = storedName(table, layout)
  return layout.cluster ? `${layout.database}.${stored}` : stored
}

/** Of the same days: how rows of copies are selected, up to their condition, and those of the folds. */
interface RowsSource {
  readonly stored: string
  /** @param isOpen the part of the condition that tells their days from the others, behind AND. */
  readonly folded: (condition: string, isOpen: string) => string
  /** Rows of a day that are kept in memory, by their condition. */
  readonly kept?: (table: string, condition: string, day: string) => string
}

function runningOf({
  running = [],
  bounds,
  settled,
  ofProperty,
  ofBots,
}: Omit<RowsQuery, 'columns' | 'condition' | 'layout'>): readonly RunningDay[] {
  if (ofBots || ofProperty !== undefined) return []
  return running.filter(({ day }) => !settled.has(day) && day >= bounds.day_from && day <= bounds.day_to)
}

export function unionOf(
  query: Omit<RowsQuery, 'columns' | 'condition' | 'layout'>,
  { stored, folded, kept }: RowsSource,
) {
  const { settled, hasMarks, bounds, ofProperty = ofOneProperty, ofBots = false, without = noDay } = query
  const within = withinOf(ofProperty)
  const held = heldOf(ofBots ? noDays : settled, bounds, without)
  const running = kept ? runningOf(query) : []
  const isOpen = [
    ...(held.weeks.length > 0 ? ['AND toMonday(day) NOT IN {weeks:Array(Date)}'] : []),
    ...(held.days.length > 0 ? ['AND day NOT IN {days:Array(Date)}'] : []),
    ...running.map((_, place) => `AND day != ${runningDayOf(place)}`),
  ].join(' ')
  const parts = [
    ...(held.inner.length > 0 ? [`${stored} copy IN {inner:Array(UInt64)} AND ${ofProperty}`] : []),
    ...(held.outer.size > 0 ? [`${stored} ${ofCopies('outer')} AND ${within}`] : []),
    ...running.map(({ table }, place) => kept!(table, `${withinTimes} AND ${isLatest(place)}`, runningDayOf(place))),
    ...(held.open === running.length
      ? []
      : [folded(`${within} AND ${ofBots ? 'is_bot = 1' : isCounted(hasMarks)} ${isOpen}`, isOpen)]),
  ]
  const isEmpty = parts.length === 0
  if (isEmpty) parts.push(`${stored} 0`)
  const rounds = running.map((day, place) => ({ [`running_${place}`]: day.day, ...roundParams(day, place) }))
  return {
    isEmpty,
    union: parts.join('\n  UNION ALL\n  '),
    params: Object.assign({}, bounds, heldParams(held), ...rounds) as Record<string, unknown>,
  }
}

/** As a view, so that each node adds up its own rows. */
export const everywhere = (union: string, { cluster }: FactsLayout): string =>
  cluster ? `cluster('${cluster}', view(\n  ${union}\n))` : `(\n  ${union}\n)`

/** With more, nobody names them in a statement. */
const MOST_FOLDED_DAYS = 400

/**
 * Days of the window that may have sessions and that no copy stands for: their rows have no `paths`.
 * @returns undefined when there are too many.
 */
export function foldedDaysOf({ settled, bounds }: Pick<RowsQuery, 'settled' | 'bounds'>): SessionScope['foldedDays'] {
  const { emptyBefore = '' } = settled
  const days = daysBetween(bounds).filter((day) => day >= emptyBefore && !settled.has(day))
  return days.length > MOST_FOLDED_DAYS ? undefined : days
}

/** `isEmpty`: no day of the window may have some. */
export function sessionRows({
  columns,
  condition,
  layout,
  isEventful,
  ...query
}: RowsQuery): SessionScope & { readonly isEmpty: boolean } {
  const names = [...new Set(columns)]
  const whose = query.ofProperty === undefined ? '' : 'property, '
  const { isEmpty, union, params } = unionOf(query, {
    stored: `SELECT ${whose}${names.join(', ')} FROM ${onEachNode(isEventful ? 'settled_eventful' : 'settled', layout)} WHERE`,
    folded: (where) =>
      `SELECT ${whose}${plainColumns(names)} FROM ${onEachNode('sessions', layout)} FINAL WHERE ${where}`,
    ...(names.every(isRunningColumn) && {
      kept: (table: string, where: string) => `SELECT ${keptColumns(names)} FROM ${table} WHERE ${where}`,
    }),
  })
  const where = `AS sessions_of_window WHERE ${condition.sql}`
  return {
    isEmpty,
    hasMarks: query.hasMarks,
    sql: `${everywhere(union, layout)} ${where}`,
    inSet: `(\n  ${union}\n) ${where}`,
    params: { ...condition.params, ...params },
  }
}

export const contactColumns = ['day', 'session', 'entry_at', 'contact_id'] as const satisfies SessionColumn[]

/**
 * Of the folds of a window: no others can be linked to a contact.
 * @param isOpen as for the folds.
 */
export const isIdentified = (layout: FactsLayout, isOpen: string): string =>
  `(day, session) IN (SELECT day, session FROM ${onEachNode('events', layout)} WHERE ${ofDays(ofOneProperty)} AND kind = 'identify' ${isOpen})`

/**
 * Those of these sessions that are linked to contacts, with `day`, `session`, `entry_at` and `contact_id`:
 * what stands behind FROM, and a condition behind which more can follow after AND.
 */
export function contactRows({
  layout,
  ...query
}: Omit<RowsQuery, 'columns' | 'condition' | 'isEventful'>): Pick<SessionScope, 'sql' | 'params'> {
  const sessions = onEachNode('sessions', layout)
  const { union, params } = unionOf(query, {
    stored: `SELECT ${contactColumns.join(', ')} FROM ${onEachNode('settled_contacts', layout)} WHERE`,
    folded: (condition, isOpen) =>
      `SELECT ${plainColumns(contactColumns)} FROM ${sessions} FINAL WHERE ${condition} AND ${isIdentified(layout, isOpen)}`,
    kept: (table, condition) => `SELECT ${contactColumns.join(', ')} FROM ${table} WHERE ${condition}`,
  })
  return { sql: `${everywhere(union, layout)} AS sessions_of_contacts WHERE contact_id != ''`, params }
}

interface LaterVisitsQuery extends Omit<RowsQuery, 'columns' | 'condition' | 'isEventful'> {
  /** Those alone that came through a link, and some others. */
  readonly isLinked?: boolean | undefined
}

/**
 * Visits of these sessions after the first one of each, with what their first page views say: what stands
 * behind FROM, and a condition behind which more can follow after AND.
 */
export function laterVisitRows(
  names: readonly TouchColumn[],
  { layout, isLinked, ...query }: LaterVisitsQuery,
): Pick<SessionScope, 'sql' | 'params'> {
  const columns = ['day', 'session', ...names].join(', ')
  const [sessions, views] = [onEachNode('sessions', layout), onEachNode('views', layout)]
  const worked = (visits: Parameters<typeof laterVisits>[1]) => `SELECT ${columns} FROM (${laterVisits(names, visits)})`
  const { union, params } = unionOf(query, {
    stored: `SELECT ${columns} FROM ${onEachNode('settled_visits', layout)} WHERE`,
    folded: (condition) =>
      worked({ sessions: foldedSessions(sessions, condition), views, ofViews: ofDays(ofOneProperty), isLinked }),
    kept: (table, condition, day) =>
      worked({
        sessions: keptSessions(table, condition),
        views,
        ofViews: `${ofOneProperty} AND day = ${day}`,
        isLinked,
      }),
  })
  return { sql: `${everywhere(union, layout)} AS visits_of_window WHERE 1`, params }
}
