// All that is counted of the sessions of a window from sums of settled days, where the store has some.
import { readParts } from '../../server/analytics/facts.ts'
import { readTopLists } from '../../server/analytics/tops-facts.ts'
import { figureNames } from '../../server/analytics/metrics.ts'
import { arrivalsOf, readStarts, returnsOf } from '../../server/analytics/starts-facts.ts'
import { peopleOf } from '../../server/conversions/facts.ts'
import { countAllConversions } from '../../server/conversions/top-facts.ts'
import { DAY_MS } from '../../server/kernel/days.ts'
import type { Span } from '../../server/kernel/window.ts'
import { readTopEvents } from '../../server/lists/event-facts.ts'
import { countOutcomes } from '../../server/sessions/outcome-facts.ts'
import { boundsOf } from '../../server/sessions/rows.ts'
import type { Facts } from '../../server/stores/facts.ts'
import { outcomeTables } from '../../server/stores/outcome-sums.ts'

/** Some are met by several events of one session. */
const conversions = [
  { id: 'any', event_type: 'event', event_value: null },
  { id: 'named', event_type: 'event', event_value: 'e0' },
  { id: 'orders', event_type: 'acquisition', event_value: null },
] as const

const HOUR_SECONDS = 3600
const HOUR_MS = 3_600_000

const sumTables = ['settled_figures', 'settled_values', 'settled_events', 'settled_conversions', 'settled_outcomes']

/**
 * @returns the figures and lists of the window, whether sums of each kind were read for them, and statements
 *   that ask for rows which cannot be there.
 */
export async function settledFigures(facts: Facts, property: string, span: Span) {
  const statements: string[] = []
  const query: Facts['query'] = (name, sql, params) => {
    statements.push(sql)
    return facts.query(name, sql, params)
  }
  const asked = { ...facts, query }
  const { fromMs, toMs } = span
  const scope = { propertyId: property, span, clauses: [] }
  const days: number[] = []
  for (let day = (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS; day < toMs; day += DAY_MS) days.push(day)
  const parts = { name: 'test', figures: figureNames }
  const byLink = async (countsOf: typeof arrivalsOf) => {
    const came = await countsOf(asked, scope)
    if ('all' in came) return came.all
    const counts = `SELECT value AS id, toUInt32(sum(came.number)) AS number FROM (${came.sql}) AS came WHERE value != '' GROUP BY value ORDER BY number DESC, value`
    return query('test', counts, came.params)
  }
  const outcomes = async (cutMs?: number) => {
    const settled = { days: await asked.settledDays(), layout: asked.layout }
    const ask = { window: boundsOf(property, span), hasMarks: false, visitors: undefined, settled, limit: 100 }
    return countOutcomes(asked, outcomeTables, ask, cutMs)
  }
  return {
    byDay: await readParts(asked, scope, { ...parts, edges: [fromMs, ...days] }),
    inTwo: await readParts(
      asked,
      { ...scope, openFromMs: fromMs + 5.6 * DAY_MS },
      { ...parts, edges: [fromMs, fromMs + 40 * HOUR_MS] },
    ),
    tops: await readTopLists(asked, scope),
    starts: await readStarts(asked, scope, HOUR_SECONDS),
    arrivals: await byLink(arrivalsOf),
    returns: await byLink(returnsOf),
    events: await readTopEvents(asked, scope, 10),
    conversions: await countAllConversions(asked, conversions, { everybody: await peopleOf(asked, property, span) }),
    outcomes: await outcomes(),
    outcomesInTwo: await outcomes(days.at(-1)),
    inVain: statements.filter((sql) => /\bWHERE 0\b/.test(sql)),
    sums: sumTables.every((table) => statements.some((sql) => sql.includes(table))),
  }
}
