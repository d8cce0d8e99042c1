// What is added up of the goals of a property on days that are settled (`settled_goals`).
// docs/decisions/0084-goals-in-parts.md.
import { hash } from 'node:crypto'
import { countedColumns, QUARTER_SECONDS } from './session-sums.ts'
import type { FactTable } from './tables.ts'

/** What meets it is added up. */
export interface SummedGoal {
  readonly propertyId: string
  readonly table: FactTable
  /** The column with the day of the session. */
  readonly day: 'day' | 'session_day'
  /** On the rows of the table, with what it binds. */
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The lists in whose rows a goal is counted, each by its column. */
export const goalLists = countedColumns.filter((column) => column !== 'country_code')

/**
 * How many sessions without a contact met the goal, by the second and by the quarter of an hour in which they
 * began, since few windows begin or end within one. What others met is credited to the first session of their
 * contact, which may become another one, so of these nothing is added up.
 * A day is complete once it has a row of the last.
 */
export const goalSeconds = 'second'
export const goalQuarters = 'quarter'
export const goalComplete = ''

/**
 * A value as a number, the first eight bytes of its SHA-256: numbers are grouped several times as fast as
 * texts, and a column holds few values, of which each is worked out once.
 */
export const valueNumber = (column: string): string => `reinterpretAsInt64(SHA256(${column}))`
export const numberOfValue = (value: string): bigint => hash('sha256', value, 'buffer').readBigInt64LE()

const secondSql = 'intDiv(toUnixTimestamp64Milli(entry_at), 1000)'

/** All that a session counts as: a list, and the number there. */
const numbers: readonly (readonly [list: string, sql: string])[] = [
  ...goalLists.map((column) => [column, valueNumber(column)] as const),
  [goalSeconds, secondSql],
  [goalQuarters, `intDiv(${secondSql}, ${QUARTER_SECONDS})`],
]
const places = numbers.map(([, sql], index) => `(toUInt8(${index + 1}), ${sql})`).join(', ')
const names = numbers.map(([list]) => `'${list}'`).join(', ')

/** The name of a list by its place. */
export const goalListName = `arrayElement([${names}], counted.1)`

/** Over rows of sessions with these columns: places of lists, and numbers there. */
export const countedAs = `[${places}]`
export const countedFrom = ['day', 'session', 'entry_at', 'contact_id', ...goalLists] as const
export const isSummed = "contact_id = ''"

/**
 * Over rows of sessions with these columns: the numbers of all values in one text. To remember it of the
 * first session of each contact takes the store a third of the time that an array takes.
 */
export const valueNumbers = `reinterpret([${goalLists.map(valueNumber).join(', ')}], 'String')`
/** Of such a text, in the order of the lists. */
export const numbersInText = "reinterpret(value_numbers, 'Array(Int64)')"

/** What a goal is known by beside its property. Counted in another way it is another one. */
export const goalKey = ({ table, sql, params }: Pick<SummedGoal, 'table' | 'sql' | 'params'>): string =>
  hash('sha256', JSON.stringify([table, sql, params, countedAs, isSummed, goalListName])).slice(0, 16)
