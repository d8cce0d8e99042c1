// Clauses as conditions on rows of `sessions`. No value is ever part of the text: each is bound by the store
// as a parameter.
import { formDays } from '../stores/form-days.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { type FactTable, NEVER_MS } from '../stores/tables.ts'
import type { Clause, Operator } from './clauses.ts'
import { type ClauseTarget, targetOf } from './dimensions.ts'
import { meetsAny } from './goal-sql.ts'

/** SQL and the parameters that it names. */
export interface Fragment {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Where clauses look for what a session did. */
interface Places {
  /** Where the facts of a table are; left out: on all nodes. */
  readonly tableOf?: ((table: FactTable) => string) | undefined
  /**
   * Where the rows have `paths`: the days of which these say nothing (SessionScope). Left out: pages are
   * looked for among the views of all days.
   */
  readonly foldedDays?: readonly string[] | undefined
}

type TableOf = NonNullable<Places['tableOf']>

/** The operator that a negative one denies. */
const denied: Partial<Record<Operator, Operator>> = {
  not_equals: 'equals',
  not_contains: 'contains',
  is_not_set: 'is_set',
}

/** Every statement binds these: the partition of the property and the days of the span. */
export const sameDays = 'property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}'

/**
 * One condition that holds when all clauses hold; '1' when there are none.
 * @param columnOf the SQL of a session's column: as it is called (sessions/rows.ts), or foldedColumn for rows
 * of `sessions` themselves.
 */
export function clauseCondition(
  clauses: readonly Clause[],
  columnOf: (name: SessionColumn) => string,
  { tableOf = (table) => table, foldedDays }: Places = {},
): Fragment {
  const params: Record<string, unknown> = {}
  const conditions: string[] = []
  const ofOneEvent: string[] = []
  const ofFacts = new Map<FactTarget['on'], Looked>()
  const ofPages = noLooked()
  for (const [index, clause] of clauses.entries()) {
    const target = targetOf(clause.id)
    const name = `clause_${index}`
    if (clause.goals) {
      const met = meetsAny(clause.goals, name, tableOf)
      Object.assign(params, met.params)
      conditions.push(clause.operator === 'equals' ? met.sql : `NOT ${met.sql}`)
      continue
    }
    if (clause.values.length > 0) params[name] = boundValues(clause, target)
    if (target.on === 'event') ofOneEvent.push(eventCondition(clause, target, name))
    else if (target.on === 'session' || target.on === 'tags')
      conditions.push(sessionCondition(clause, target, name, columnOf))
    else if (target.on !== 'conversion') {
      const looked = ofFacts.get(target.on) ?? noLooked()
      ofFacts.set(target.on, looked)
      addLooked(looked, clause, (operator) => textCondition(target.column, operator, name, clause))
      if (target.on === 'view') addLooked(ofPages, clause, (operator) => pageCondition(operator, name, clause))
    }
  }
  const sets = factSets(tableOf)
  for (const [on, looked] of ofFacts) {
    if (on === 'view' && foldedDays) {
      conditions.push(...pageConditions(ofPages, looked, foldedDays.length > 0 ? foldedViews(sets.view) : undefined))
      params['folded_days'] = foldedDays
    } else conditions.push(...lookedConditions(sets[on], looked))
  }
  if (ofOneEvent.length > 0) conditions.push(hasEvent(ofOneEvent, tableOf))
  return { sql: conditions.length > 0 ? conditions.join(' AND ') : '1', params }
}

/** Columns of the session that the condition reads. */
export function clauseColumns(clauses: readonly Clause[]): SessionColumn[] {
  return clauses.flatMap(({ id }): readonly SessionColumn[] => {
    const target = targetOf(id)
    if (target.on === 'session') return [target.column]
    if (target.on === 'tags') return ['tags']
    return target.on === 'view' ? ['day', 'session', 'paths'] : ['day', 'session']
  })
}

function boundValues(clause: Clause, target: ClauseTarget): readonly (string | number)[] {
  return target.on === 'event' && target.kind === 'number' ? clause.values.map(Number) : clause.values
}

function signed(clause: Clause, write: (operator: Operator) => string): string {
  const positive = denied[clause.operator]
  return positive ? `NOT (${write(positive)})` : `(${write(clause.operator)})`
}

function sessionCondition(
  clause: Clause,
  target: Extract<ClauseTarget, { on: 'session' | 'tags' }>,
  name: string,
  columnOf: (name: SessionColumn) => string,
): string {
  const holds = (column: string, operator: Operator) => textCondition(column, operator, name, clause)
  return signed(clause, (operator) => {
    if (target.on === 'session') return holds(columnOf(target.column), operator)
    return operator === 'is_set' ? 'notEmpty(tags)' : `arrayExists(tag -> ${holds('tag', operator)}, tags)`
  })
}

// ---------------------------------------------------------------- facts of the session

/**
 * What is looked for among other facts of the session. However many clauses ask for it, its table is read
 * twice at most.
 */
type FactTarget = Extract<ClauseTarget, { on: 'view' | 'forms' }>

/**
 * Conditions on facts: for each of the first the session must have one that meets it, and none that meets any
 * of the others.
 */
interface Looked {
  readonly has: string[]
  readonly hasNot: string[]
}

/** Keys of sessions, and the facts among which is looked. */
interface FactSet {
  readonly key: string
  readonly from: string
}

const factSets = (tableOf: TableOf): Readonly<Record<FactTarget['on'], FactSet>> => ({
  /** Rows of pings have no path; they are known by their time, which is never. */
  view: {
    key: 'day, session',
    from: `${tableOf('views')} WHERE ${sameDays} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`,
  },
  forms: {
    key: 'session_day, session',
    from: `${tableOf('form_events')} WHERE property = {property:String} AND session_day BETWEEN {day_from:Date} AND {day_to:Date}
  AND ${formDays('{day_from:Date}', '{day_to:Date}')} AND kind = 'submit' AND session != 0`,
  },
})

const noLooked = (): Looked => ({ has: [], hasNot: [] })

function addLooked({ has, hasNot }: Looked, { operator }: Clause, write: (operator: Operator) => string): void {
  const positive = denied[operator]
  if (positive) hasNot.push(write(positive))
  else has.push(write(operator))
}

function lookedConditions({ key, from }: FactSet, { has, hasNot }: Looked): string[] {
  const any = (conditions: readonly string[]) => conditions.map((one) => `(${one})`).join(' OR ')
  const sessions = (conditions: readonly string[]) => `SELECT ${key} FROM ${from} AND (${any(conditions)})`
  // Each may be met by another fact of the session.
  const each = has.length > 1 ? ` GROUP BY ${key} HAVING ${has.map((one) => `max(${one}) = 1`).join(' AND ')}` : ''
  return [
    ...(has.length > 0 ? [`(day, session) IN (${sessions(has)}${each})`] : []),
    ...(hasNot.length > 0 ? [`(day, session) NOT IN (${sessions(hasNot)})`] : []),
  ]
}

/** The same for pages, of sessions whose rows name them. */
function pageCondition(operator: Operator, name: string, clause: Clause): string {
  const values = `{${name}:Array(String)}`
  if (operator !== 'equals') return `arrayExists(path -> ${textCondition('path', operator, name, clause)}, paths)`
  // Faster for one value, but it does not find the empty text.
  const [only = '', ...others] = clause.values
  return only !== '' && others.length === 0 ? `has(paths, ${values}[1])` : `hasAny(paths, ${values})`
}

/** Views of the days of which rows name no pages. */
const foldedViews = ({ key, from }: FactSet): FactSet => ({ key, from: `${from} AND day IN {folded_days:Array(Date)}` })

/**
 * @param named over the pages that rows name.
 * @param looked over the views of sessions whose rows name none, which are in the set. Left out: there are no
 * such sessions.
 */
function pageConditions(named: Looked, looked: Looked, set: FactSet | undefined): string[] {
  const inSet = (some: Partial<Looked>) => (set ? lookedConditions(set, { ...noLooked(), ...some }) : [])
  return [
    ...(named.has.length > 0 ? [`(${[named.has.join(' AND '), ...inSet({ has: looked.has })].join(' OR ')})`] : []),
    ...(named.hasNot.length > 0 ? [`NOT (${named.hasNot.join(' OR ')})`, ...inSet({ hasNot: looked.hasNot })] : []),
  ]
}

function hasEvent(conditions: readonly string[], tableOf: TableOf): string {
  return `(day, session) IN (SELECT day, session FROM ${tableOf('events')} WHERE ${sameDays} AND kind = 'event' AND ${conditions.join(' AND ')})`
}

function eventCondition(clause: Clause, target: Extract<ClauseTarget, { on: 'event' }>, name: string): string {
  return signed(clause, (operator) => {
    if (target.kind === 'number') return numberCondition(target.column, operator, name)
    if (target.kind === 'text') return textCondition(target.column, operator, name, clause)
    if (operator === 'is_set') return `notEmpty(${target.column})`
    return `arrayExists(pair -> ${textCondition('pair', operator, name, clause)}, ${target.column})`
  })
}

/**
 * A column and the bound values, written as a condition. Operators that deny are written as the denial of
 * another.
 */
type Write = (column: string, values: string) => string

/** More than any of the values is more than the least of them. */
const numberSql: Partial<Record<Operator, Write>> = {
  equals: (column, values) => `has(${values}, ${column})`,
  gt: (column, values) => `${column} > arrayMin(${values})`,
  gte: (column, values) => `${column} >= arrayMin(${values})`,
  lt: (column, values) => `${column} < arrayMax(${values})`,
  lte: (column, values) => `${column} <= arrayMax(${values})`,
  is_set: (column) => `isNotNull(${column})`,
}

/**
 * Worked out once: a function over each of the values would be worked out anew for every row. No value holds
 * a NUL.
 */
const lowered = (values: string) => `splitByChar('\\0', lowerUTF8(arrayStringConcat(${values}, '\\0')))`

/**
 * Whether the condition on `text` and `value` holds for any of the values, `text` being a column that is put
 * into small letters once for all of them.
 */
const anyOf = (holds: string, column: string, values: string) =>
  `arrayExists(text -> arrayExists(value -> ${holds}, ${lowered(values)}), [lowerUTF8(${column})])`

const textSql: Partial<Record<Operator, Write>> = {
  equals: (column, values) => `${column} IN ${values}`,
  contains: (column, values) => `multiSearchAny(lowerUTF8(${column}), ${lowered(values)})`,
  starts_with: (column, values) => anyOf('startsWith(text, value)', column, values),
  ends_with: (column, values) => anyOf('endsWith(text, value)', column, values),
  is_set: (column) => `${column} != ''`,
}

function written(table: Partial<Record<Operator, Write>>, operator: Operator, column: string, values: string): string {
  const write = table[operator]
  if (!write) throw new Error(`the operator ${operator} has no SQL for this kind of id`)
  return write(column, values)
}

function numberCondition(column: string, operator: Operator, name: string): string {
  return `ifNull(${written(numberSql, operator, column, `{${name}:Array(Float64)}`)}, 0)`
}

/**
 * The search for many needles is the fastest while they are short. It is prepared anew for each block of
 * rows, at a cost that grows with the needles: of some kilobytes that alone takes seconds.
 */
const FEW_CHARACTERS = 200

function textCondition(column: string, operator: Operator, name: string, clause: Clause): string {
  // The search for many needles takes no empty one, and every text contains it.
  if (operator === 'contains' && clause.values.includes('')) return '1'
  if (operator === 'contains' && clause.values.join('').length > FEW_CHARACTERS)
    return anyOf('position(text, value) > 0', column, `{${name}:Array(String)}`)
  return written(textSql, operator, column, `{${name}:Array(String)}`)
}
