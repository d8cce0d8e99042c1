// Conversions in the facts: whether a session has met one, and how many there were. Facts of people alone.
import { upperEscapes } from '../kernel/paths.ts'
import { countedBy, triggers, type ValueKind } from '../kernel/trigger-table.ts'
import type { Span } from '../kernel/window.ts'
import {
  bindSessions,
  keyText,
  type SessionKey,
  everySession,
  knownOf,
  type RowsQuery,
  type ScopeFacts,
  type SessionScope,
} from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { SummedGoal } from '../stores/goal-sums.ts'
import type { FactTable } from '../stores/tables.ts'
import type { Conversion } from './conversion-model.ts'

/** What is counted: neither the property nor the time. */
export type Definition = Pick<Conversion, 'event_type' | 'event_value'>

/** The rows that meet a definition. */
export interface Matching {
  readonly table: FactTable
  /** The column with the day of the session. */
  readonly day: 'day' | 'session_day'
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** `*` of a path pattern as LIKE has it, and everything else as it stands (match.ts has the same meaning). */
export function likeOf(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}

const escapedByte = /%([0-9a-f]{2})/gi
const lowerEscapes = (text: string) => text.replace(escapedByte, (escape) => escape.toLowerCase())

/**
 * As a regular expression, because sites write encoded bytes with small or capital letters, which LIKE tells
 * apart.
 */
export function regexOf(pattern: string): string {
  const text = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return `(?s)^${text.replace(escapedByte, '%(?i:$1)')}$`
}

interface ValueCondition {
  readonly sql: string
  readonly value: string
}

const isEitherCase = (path: string): boolean => upperEscapes(path) !== lowerEscapes(path)

/** The one path that meets it; undefined where several may. */
export function pathOf({ event_type, event_value }: Definition): string | undefined {
  if (event_value === null || triggers[event_type].value !== 'path') return undefined
  return event_value.includes('*') || isEitherCase(event_value) ? undefined : event_value
}

/** The fastest that says the same: a regular expression takes several times as long as LIKE. */
function pathCondition(pattern: string): ValueCondition {
  if (isEitherCase(pattern)) return { sql: 'match(path, {value:String})', value: regexOf(pattern) }
  if (!pattern.includes('*')) return { sql: 'path = {value:String}', value: pattern }
  return { sql: 'path LIKE {value:String}', value: likeOf(pattern) }
}

/**
 * How the value of each kind of trigger is compared; a trigger of another kind has no value that is counted.
 */
const conditions: Readonly<Partial<Record<ValueKind, (value: string) => ValueCondition>>> = {
  form: (value) => ({ sql: 'form = {value:String}', value }),
  name: (value) => ({ sql: 'name = {value:String}', value }),
  path: pathCondition,
}

/** To be used with FINAL and the property; the rows of a session lie on one node. */
export function matching({ event_type, event_value }: Definition): Matching {
  const { table, sql } = countedBy(event_type)
  const day = table === 'form_events' ? 'session_day' : 'day'
  const condition = event_value === null ? undefined : conditions[triggers[event_type].value]?.(event_value)
  if (!condition) return { table, day, sql, params: {} }
  return { table, day, sql: `${sql} AND ${condition.sql}`, params: { value: condition.value } }
}

/** The same where several stand in one statement: the value that each binds has a name of its own. */
export function matchingAs(name: string, definition: Definition): Matching {
  const { sql, params, ...rest } = matching(definition)
  return {
    ...rest,
    sql: `(${sql.replaceAll('{value:String}', `{value_${name}:String}`)})`,
    params: Object.fromEntries(Object.entries(params).map(([key, value]) => [`${key}_${name}`, value])),
  }
}

/**
 * Of one that page views meet: how often a session did, over rows that name its pages (`paths`). Binds what
 * `matchingAs` binds.
 */
export function pagesMetAs(name: string, { event_value }: Definition): string {
  if (event_value === null) return 'length(paths)'
  const { sql } = pathCondition(event_value)
  return `arrayCount(path -> ${sql.replaceAll('{value:String}', `{value_${name}:String}`)}, paths)`
}

/**
 * What is added up of it on settled days; undefined where it brings money, which is worth more or less by the
 * rates that a question asks for.
 */
export function summedGoal(propertyId: string, definition: Definition): SummedGoal | undefined {
  const { table, day, sql, params } = matching(definition)
  return countedBy(definition.event_type).isOfMoney ? undefined : { propertyId, table, day, sql, params }
}

/** Those of the sessions that have met it by now, by keyText. */
export async function findConverted(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  sessions: readonly SessionKey[],
  conversion: Definition,
): Promise<Set<string>> {
  const { table, day, sql, params } = matching(conversion)
  const rows = await facts.query<SessionKey>(
    'automations.findConverted',
    `SELECT DISTINCT toString(f.${day}) AS day, toString(f.session) AS session FROM ${table} AS f
WHERE f.property = {property:String} AND f.${day} IN {days:Array(Date)} AND f.session IN {sessions:Array(UInt64)} AND ${sql}`,
    { ...params, ...bindSessions(propertyId, sessions) },
  )
  return new Set(rows.map(keyText))
}

/** The sessions of people that began in the window, for counting several things of them. */
export async function peopleOf(facts: ScopeFacts, propertyId: string, span: Span): Promise<RowsQuery> {
  return { ...(await knownOf(facts, propertyId, span)), columns: ['day', 'session'], condition: everySession }
}

/**
 * A submission from a page without a tracker has no session: it counts in the window in which it was sent.
 */
export const withoutSession = `(session = 0 AND is_bot = 0 AND property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}
  AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC'))`

/** How many there are. */
export async function countPeople(facts: Pick<Facts, 'query'>, { sql, params }: SessionScope): Promise<number> {
  const rows = await facts.query<{ sessions: string }>(
    'automations.countPeople',
    `SELECT count() AS sessions FROM ${sql}`,
    params,
  )
  return Number(rows[0]?.sessions ?? 0)
}
