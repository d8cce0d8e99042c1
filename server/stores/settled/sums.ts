// The statements that fill what a copy holds besides its sessions: sums of these (../session-sums.ts), of the
// pages that they saw (../page-sums.ts), of their custom events and of what meets conversions, their later
// visits (../visit-columns.ts), those sessions that have events or a contact and those that have a contact,
// all made of the rows of the copy; and sums of what was done with links, forms and content
// (../outcome-sums.ts).
import { countedBy, type CountedType, countedTypes, triggers, type ValueKind } from '../../kernel/trigger-table.ts'
import { quoted } from '../facts/quoted.ts'
import { valueNumbers } from '../goal-sums.ts'
import { outcomeSums, type OutcomeTable, outcomeTables } from '../outcome-sums.ts'
import { isLoaded, pageSumNames, pageSums } from '../page-sums.ts'
import { sessionColumns } from '../session-columns.ts'
import { countedColumns, countedLists, quarterSql, sessionSums, valueCounts } from '../session-sums.ts'
import { foldedSessions, laterVisits, touchColumns } from '../visit-columns.ts'

/**
 * The tables that hold a copy, each in a partition of its own: last the rows, which the others are made of.
 */
export const copyTables = [
  'settled_figures',
  'settled_values',
  'settled_visits',
  'settled_pages',
  'settled_events',
  'settled_conversions',
  'settled_eventful',
  'settled_contacts',
  'settled_outcomes',
  'settled',
] as const

export type CopyTable = (typeof copyTables)[number]

/** Besides these, what meets goals: it is made anew for each copy (goal-sums.ts). */
export const allCopyTables = ['settled_goals', ...copyTables] as const

/** Above, the groups of a day with very many values go to disk. */
const settings = `SETTINGS max_threads = 1, max_bytes_before_external_group_by = ${64 * 1024 * 1024}`

/** A row and what folds into it lie in one partition. */
export const folding = `${settings}, do_not_merge_across_partitions_select_final = 1`

const figures = Object.keys(sessionSums)

const rowColumns = ['property', ...Object.keys(sessionColumns)]

/** The columns of each besides `copy`. */
export const copyColumns: Readonly<Record<CopyTable, readonly string[]>> = {
  settled_figures: ['property', 'day', 'entry_at', ...figures],
  settled_values: ['property', 'day', 'list', 'value', 'sessions'],
  settled_visits: ['property', 'day', 'session', 'entry_at', ...touchColumns],
  settled_pages: ['property', 'day', 'path', 'sessions', ...pageSumNames],
  settled_events: ['property', 'day', 'name', 'events', 'sessions', 'value'],
  settled_conversions: ['property', 'day', 'type', 'is_any', 'value', 'number', 'sessions'],
  settled_eventful: rowColumns,
  settled_contacts: [...rowColumns, 'value_numbers'],
  settled_outcomes: ['property', 'day', 'of', 'id', 'at_day', 'shown', 'used'],
  settled: rowColumns,
}

/** Of a session, over rows of plain columns. */
const hasContact = "contact_id != ''"
const isEventful = `(has_event = 1 OR ${hasContact})`

/** The visits of those sessions of the copy that have more than one. */
function visitsOf(stored: (table: StoredTable) => string, rows: string): string {
  const ofViews = `(property, day, session) IN (SELECT property, day, session ${rows} AND re_entries > 0)`
  return laterVisits(touchColumns, {
    sessions: foldedSessions(stored('sessions'), ofViews),
    views: stored('views'),
    ofViews,
  })
}

/** What is counted besides the values of columns. @param visits the later visits of the copy, behind FROM. */
function countsOf(rows: string, visits: string): string {
  const { arrivals, starts, returns } = countedLists
  return `SELECT property, day, list, value, count() AS sessions
FROM (
  SELECT property, day, '${arrivals}' AS list, toString(entry_link) AS value ${rows} AND entry_link != ''
  UNION ALL
  SELECT property, day, '${starts}' AS list, toString(${quarterSql}) AS value ${rows}
  UNION ALL
  SELECT property, day, '${returns}' AS list, toString(entry_link) AS value ${visits} AND entry_link != ''
) GROUP BY property, day, list, value`
}

/** The pages that those sessions saw: a view is of the day of its session. */
function pagesOf(stored: (table: StoredTable) => string, rows: string): string {
  const own = Object.entries(pageSums).map(([name, sql]) => `${sql} AS own_${name}`)
  return `SELECT property, day, path, count() AS sessions, ${pageSumNames.map((name) => `sum(own_${name}) AS ${name}`).join(', ')}
FROM (
  SELECT property, day, session, path, ${own.join(', ')} FROM ${stored('views')} FINAL
  WHERE ${isLoaded} AND (property, day, session) IN (SELECT property, day, session ${rows}) GROUP BY property, day, session, path
) GROUP BY property, day, path`
}

/** The custom events of those sessions: an event is of the day of its session, however late it came. */
function eventsOf(stored: (table: StoredTable) => string, rows: string): string {
  return `SELECT property, day, name, sum(number) AS events, count() AS sessions, sum(cents) AS value
FROM (
  SELECT property, day, session, name, count() AS number FROM ${stored('events')} FINAL
  WHERE kind = 'event' AND (property, day, session) IN (SELECT property, day, session ${rows} AND has_event = 1)
  GROUP BY property, day, session, name
) AS happened INNER JOIN (
  SELECT property, day, session, toFloat64(value_usd_sum) AS cents ${rows} AND has_event = 1
) AS whole USING (property, day, session) GROUP BY property, day, name`
}

/** The column with what each kind of value names; a path is that of a page, which has sums of its own. */
const valueColumns: Readonly<Partial<Record<ValueKind, string>>> = { name: 'name', form: 'form', none: "''" }

/** What meets conversions of a type, by session and value. */
function conversionsOf(stored: (table: StoredTable) => string, rows: string, type: CountedType): string[] {
  const value = valueColumns[triggers[type].value]
  if (value === undefined) return []
  const { table, sql, hasEvent } = countedBy(type)
  const day = table === 'form_events' ? 'session_day' : 'day'
  const own = `SELECT property, day, session ${rows}${hasEvent ? ' AND has_event = 1' : ''}`
  return [
    `SELECT property, ${day} AS own_day, session, '${type}' AS type, toString(${value}) AS met, count() AS hits FROM ${stored(table)} FINAL
  WHERE ${sql} AND (property, ${day}, session) IN (${own}) GROUP BY property, own_day, session, met`,
  ]
}

/** The same added up, of each value and of all values of a type together. */
function allConversionsOf(stored: (table: StoredTable) => string, rows: string): string {
  const each = countedTypes.flatMap((type) => conversionsOf(stored, rows, type))
  return `SELECT property, own_day AS day, type, grouping(met) AS is_any, met AS value, sum(hits) AS number, uniqExact(session) AS sessions
FROM (
  ${each.join('\n  UNION ALL\n  ')}
) GROUP BY GROUPING SETS ((property, own_day, type, met), (property, own_day, type))`
}

/** What was done on these days with links, forms and content, whoever did it. */
function outcomesOf(stored: (table: StoredTable) => string, days: string): string {
  const each = outcomeTables.map((table) => {
    const { id, shown, used, where } = outcomeSums[table]
    return `SELECT property, day, '${table}' AS of, ${id} AS thing, toDate(at) AS at_day, ${shown} AS shown, ${used} AS used FROM ${stored(table)} FINAL
  WHERE ${where} AND day IN (${days}) GROUP BY property, day, thing, at_day`
  })
  return each.join('\n  UNION ALL\n  ')
}

/** What the sums are made of: other ones make other copies. */
const [asNamed, noRows] = [(table: StoredTable) => table, '']
export const sumFormula = [
  sessionSums,
  countedColumns,
  isEventful,
  hasContact,
  valueNumbers,
  countsOf(noRows, noRows),
  ...[visitsOf, pagesOf, eventsOf, allConversionsOf, outcomesOf].map((sqlOf) => sqlOf(asNamed, noRows)),
]

type StoredTable = CopyTable | OutcomeTable | 'sessions' | 'views' | 'events'

/** @param stored names a table as this node has it. */
export function sumStatements(
  stored: (table: StoredTable) => string,
  copy: number,
  days: readonly string[],
): readonly string[] {
  const ofDays = days.map(quoted).join(', ')
  const rowsIn = (table: CopyTable) => `FROM ${stored(table)} WHERE copy = ${copy} AND day IN (${ofDays})`
  const rows = rowsIn('settled')
  const sums = Object.entries(sessionSums).map(([name, { sql }]) => `${sql} AS sum_${name}`)
  const { select, groupBy } = valueCounts(['property', 'day'])
  return [
    `INSERT INTO ${stored('settled_figures')} (copy, ${copyColumns.settled_figures.join(', ')})
SELECT ${copy}, property, day, min(entry_at) AS first_at, ${sums.join(', ')} ${rows} GROUP BY property, day ${settings}`,
    `INSERT INTO ${stored('settled_values')} (copy, ${copyColumns.settled_values.join(', ')})
SELECT ${copy}, property, day, ${select} ${rows} ${groupBy} HAVING value != '' ${settings}`,
    `INSERT INTO ${stored('settled_visits')} (copy, ${copyColumns.settled_visits.join(', ')})
SELECT ${copy}, ${copyColumns.settled_visits.join(', ')} FROM (${visitsOf(stored, rows)}) ${folding}`,
    `INSERT INTO ${stored('settled_values')} (copy, ${copyColumns.settled_values.join(', ')})
SELECT ${copy}, ${copyColumns.settled_values.join(', ')} FROM (${countsOf(rows, rowsIn('settled_visits'))}) ${settings}`,
    `INSERT INTO ${stored('settled_pages')} (copy, ${copyColumns.settled_pages.join(', ')})
SELECT ${copy}, ${copyColumns.settled_pages.join(', ')} FROM (${pagesOf(stored, rows)}) ${folding}`,
    `INSERT INTO ${stored('settled_events')} (copy, ${copyColumns.settled_events.join(', ')})
SELECT ${copy}, ${copyColumns.settled_events.join(', ')} FROM (${eventsOf(stored, rows)}) ${folding}`,
    `INSERT INTO ${stored('settled_conversions')} (copy, ${copyColumns.settled_conversions.join(', ')})
SELECT ${copy}, ${copyColumns.settled_conversions.join(', ')} FROM (${allConversionsOf(stored, rows)}) ${folding}`,
    `INSERT INTO ${stored('settled_outcomes')} (copy, ${copyColumns.settled_outcomes.join(', ')})
SELECT ${copy}, property, day, of, thing, at_day, shown, used FROM (${outcomesOf(stored, ofDays)}) ${folding}`,
    `INSERT INTO ${stored('settled_eventful')} (copy, ${copyColumns.settled_eventful.join(', ')})
SELECT ${copy}, ${copyColumns.settled_eventful.join(', ')} ${rows} AND ${isEventful} ${settings}`,
    `INSERT INTO ${stored('settled_contacts')} (copy, ${copyColumns.settled_contacts.join(', ')})
SELECT ${copy}, ${rowColumns.join(', ')}, ${valueNumbers} ${rows} AND ${hasContact} ${settings}`,
  ]
}
