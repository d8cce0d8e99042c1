// When what is kept of a property begins: where the window of all time does.
import type { Period } from '../kernel/periods.ts'
import { periodOf, type WindowDefaults, type WindowQuery } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { ofValidSession } from './marked.ts'

type BeginningFacts = Pick<Facts, 'query' | 'hasMarks'>

/** Rows are in the order of their days, and of one day that is known before no others are read. */
function firstOf(table: 'views' | 'clicks', isValid: string): string {
  const people = `property = {property:String} AND is_bot = 0 AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') AND ${isValid}`
  return `SELECT count() AS seen, toUnixTimestamp64Milli(min(at)) AS first_ms FROM ${table}
WHERE ${people} AND day = (SELECT day FROM ${table} WHERE ${people} ORDER BY day LIMIT 1)`
}

/** The first page view or click of a person, in milliseconds; undefined before there is one. */
export async function readBeginning(facts: BeginningFacts, propertyId: string): Promise<number | undefined> {
  const hasMarks = await facts.hasMarks(propertyId)
  const views = firstOf('views', ofValidSession(hasMarks, 'day'))
  const clicks = firstOf('clicks', ofValidSession(hasMarks, 'session_day'))
  const rows = await facts.query<{ seen: string; first_ms: string }>(
    'sessions.beginning',
    `${views} UNION ALL ${clicks}`,
    { property: propertyId },
  )
  const found = rows.filter(({ seen }) => Number(seen) > 0).map(({ first_ms }) => Number(first_ms))
  return found.length === 0 ? undefined : Math.min(...found)
}

const ALL_TIME: Period = 'all_time'

/** By what the query is understood: with the property's beginning, where it asks for all that there is. */
export async function withBeginning<Asked extends WindowDefaults & { readonly id: string }>(
  facts: BeginningFacts,
  property: Asked,
  query: WindowQuery,
): Promise<Asked> {
  if (periodOf(query, property) !== ALL_TIME) return property
  return { ...property, firstMs: await readBeginning(facts, property.id) }
}
