// Which facts reach the goal of a content block.
import { matching, findConversion } from '../conversions/conversions.ts'
import type { Records } from '../stores/records.ts'
import type { Goal } from '../content/content-model.ts'

/** Rows of the facts that reach a goal: session and time of each. */
export interface GoalRows {
  readonly table: 'impressions' | 'events' | 'views' | 'form_events'
  /** The column with the day of the session. */
  readonly day: 'day' | 'session_day'
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  /**
   * False: it counts regardless of the time of the view. A click implies a view, whichever of the two arrives
   * first.
   */
  readonly isAfterView: boolean
  /**
   * Whether a repeated row may have another time, so that the query needs FINAL. It is expensive: page views
   * are many.
   */
  readonly isFolded: boolean
}

/** Clicks are stored with their phase; no other fact knows of content. */
const clicks: GoalRows = {
  table: 'impressions',
  day: 'session_day',
  sql: "block = {block:String} AND phase = {phase:UInt32} AND kind = 'click' AND is_bot = 0",
  params: {},
  isAfterView: false,
  isFolded: false,
}

/** Without flagged ones: a version must not win by attracting spam. */
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

/** Undefined when the goal is a deleted conversion. The facts of a deleted form remain. */
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
