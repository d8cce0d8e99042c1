// Sessions beside how often each met a goal: of settled days those of contacts, which are kept by themselves
// with the page of each view, and of the other days all of them.
import { formDays } from '../stores/form-days.ts'
import { goalLists, type SummedGoal, valueNumbers } from '../stores/goal-sums.ts'
import { plainColumns } from '../stores/session-columns.ts'
import { bindCopies, type HeldDay, ofCopies } from './held.ts'
import {
  contactColumns,
  everywhere,
  isIdentified,
  ofDays,
  ofOneProperty,
  onEachNode,
  type RowsQuery,
  unionOf,
} from './rows.ts'

/** What meets a goal, with what it binds. */
interface Met extends Pick<SummedGoal, 'table' | 'day' | 'sql' | 'params'> {
  /** How often, over rows with `paths`; left out where it is not page views that meet it. */
  readonly ofPaths: string | undefined
}

interface MetQuery extends Omit<RowsQuery, 'columns' | 'condition' | 'isEventful'> {
  readonly met: Met
  /** YYYY-MM-DD: what sessions of earlier days met is not asked for. */
  readonly sinceDay: string
  /** Whether `value_numbers` are asked for; otherwise they are empty. */
  readonly isListed: boolean
  /** Settled days of which the sessions without a contact are read as well. */
  readonly whole: readonly HeldDay[]
}

interface MetRows {
  /** Behind FROM: rows of `day`, `session`, `entry_at`, `contact_id`, `value_numbers` and `hits`. */
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

const own = contactColumns.join(', ')
const isAsked = 'day >= {since_day:Date}'

export function metRows({ met, sinceDay, isListed, whole, layout, ...query }: MetQuery): MetRows {
  const { ofPaths } = met
  const node = (table: string) => onEachNode(table, layout)
  const read = isListed ? [...contactColumns, ...goalLists] : contactColumns
  const numbers = `${isListed ? valueNumbers : "''"} AS value_numbers`

  /** @param days a condition on the facts. */
  const withFacts = (rows: string, days: string) => `SELECT ${own}, value_numbers, hits
  FROM (${rows}) AS known LEFT JOIN (
    SELECT ${met.day} AS met_day, session AS met_session, count() AS hits FROM ${node(met.table)} FINAL
    WHERE ${ofOneProperty} AND ${days} AND session != 0 AND ${met.sql} GROUP BY met_day, met_session
  ) AS met ON met_day = day AND met_session = session`
  /** Pages stand in the rows of settled days; all other facts are looked for at once. */
  const counted = (rows: string, days: string) => (ofPaths === undefined ? rows : withFacts(rows, days))
  const copied = ofPaths === undefined ? '' : `, ${ofPaths} AS hits`
  const numbered = (rows: string) => `SELECT ${own}, ${numbers} FROM ${rows}`

  const { union, params } = unionOf(query, {
    stored: `SELECT ${own}, ${isListed ? '' : "'' AS "}value_numbers${copied} FROM ${node('settled_contacts')} WHERE`,
    folded: (condition, isOpen) =>
      counted(
        numbered(
          `(SELECT ${plainColumns(read)} FROM ${node('sessions')} FINAL WHERE ${condition} AND (${isAsked} OR ${isIdentified(layout, isOpen)}))`,
        ),
        `${isAsked} AND ${ofDays(ofOneProperty)} ${isOpen}`,
      ),
    kept: (table, condition, day) => counted(numbered(`${table} WHERE ${condition}`), `day = ${day}`),
  })
  const wholeRows = `SELECT ${own}, ${numbers}${copied} FROM ${node(ofPaths === undefined ? 'settled_eventful' : 'settled')}
  WHERE ${ofCopies('whole')} AND ${ofOneProperty} AND contact_id = ''`
  const rows = whole.length > 0 ? `${union}\n  UNION ALL\n  ${wholeRows}` : union
  const since =
    met.table === 'form_events'
      ? `session_day >= {since_day:Date} AND ${formDays('{since_day:Date}', '{day_to:Date}')}`
      : isAsked
  return {
    sql: `${everywhere(ofPaths === undefined ? withFacts(rows, since) : rows, layout)} AS met_rows WHERE contact_id != '' OR hits > 0`,
    params: {
      ...params,
      ...met.params,
      since_day: sinceDay,
      ...(whole.length > 0 && bindCopies('whole', new Map(whole.map(([day, { copy }]) => [day, copy])))),
    },
  }
}
