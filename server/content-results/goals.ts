// Which facts reach the goal of a content block.
import { matching } from '../conversions/facts.ts'
import { findConversion } from '../conversions/records.ts'
import type { Records } from '../stores/records.ts'
import type { Goal } from '../content/content-model.ts'

/** Rows of the facts that reach a goal: of sessions, each at its time. */
export interface GoalRows {
  readonly table: 'impressions' | 'events' | 'views' | 'form_events'
  /** The column with the day of the session. */
  readonly day: 'day' | 'session_day'
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  /** False: it counts whenever it was told. A click needs something that is seen, whichever of the two arrives first. */
  readonly isAfterView: boolean
  /** Whether a row may come again with another time, so that only FINAL knows the right one. It costs, and page views are many. */
  readonly isFolded: boolean
}

/** Clicks are told with the phase; nothing else of the facts knows of content. */
const clicks: GoalRows = {
  table: 'impressions',
  day: 'session_day',
  sql: "block = {block:String} AND phase = {phase:UInt32} AND kind = 'click' AND is_bot = 0",
  params: {},
  isAfterView: false,
  isFolded: false,
}

/** Flagged ones are left out: a version that attracts spam must not win by it. */
const cleanSubmissions: GoalRows = {
  table: 'form_events',
  day: 'session_day',
  sql: "form = {value:String} AND kind = 'submit' AND is_flagged = 0 AND session != 0",
  params: {},
  isAfterView: true,
  isFolded: true,
}

function isGoalTable(table: string): table is GoalRows['table'] {
  return ['impressions', 'events', 'views', 'form_events'].includes(table)
}

function metRows(definition: Parameters<typeof matching>[0]): GoalRows {
  const { table, ...rows } = matching(definition)
  if (!isGoalTable(table)) throw new Error(`no goal is in ${table}`)
  return { table, ...rows, isAfterView: true, isFolded: table !== 'views' }
}

/** Undefined when the goal is a conversion that has been deleted. Forms leave their facts behind. */
export async function findGoalRows(
  records: Records,
  propertyId: string,
  { type, value }: Goal,
): Promise<GoalRows | undefined> {
  if (type === 'click')
    return value === null ? clicks : { ...clicks, sql: `${clicks.sql} AND cta_key = {value:String}`, params: { value } }
  if (type === 'form') return { ...cleanSubmissions, params: { value } }
  if (type === 'event') return metRows({ event_type: 'event', event_value: value })
  const conversion = await findConversion(records, propertyId, value ?? '')
  return conversion && metRows(conversion)
}
