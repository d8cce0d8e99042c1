// What a click on a row does to the filters: choose, leave out, and take back.
import type { Overview } from '../../api/overview.ts'
import { countryName } from '../../format.ts'
import { type Clause, withClause } from '../../window.ts'
import { channelName } from '../../service-words.ts'

export type RowOperator = 'equals' | 'not_equals'

export const isChosen = (clauses: readonly Clause[], id: string, value: string): boolean =>
  clauses.some((clause) => clause.id === id && clause.op === 'equals' && clause.values.includes(value))

/** Without this value; a clause that had no other is gone. */
function withoutValue(clauses: readonly Clause[], id: string, value: string): readonly Clause[] {
  return clauses.flatMap((clause) => {
    if (clause.id !== id || !['equals', 'not_equals'].includes(clause.op)) return [clause]
    const values = clause.values.filter((known) => known !== value)
    return values.length === 0 ? [] : [{ ...clause, values }]
  })
}

/** The value chosen or left out; the same again takes it back, and the one takes the place of the other. */
export function toggled(clauses: readonly Clause[], id: string, value: string, op: RowOperator): readonly Clause[] {
  const isThere = clauses.some((clause) => clause.id === id && clause.op === op && clause.values.includes(value))
  const others = withoutValue(clauses, id, value)
  return isThere ? others : withClause(others, { id, op, values: [value] })
}

/**
 * A country of the map as a clause: by name where the list has it, so that map and list are the same filter.
 */
export function countryClause(overview: Pick<Overview, 'lists'>, code: string): { id: string; value: string } {
  const row = overview.lists.country.rows.find((country) => country.country_code === code)
  return row ? { id: 'country', value: row.id } : { id: 'country_code', value: code }
}

type Names = (overview: Overview) => readonly (readonly [string, string])[]

/** Where the names of values are that are no words themselves. */
const namesOf: Readonly<Record<string, Names>> = {
  form: ({ outcomes }) => outcomes.forms.map(({ id, name }) => [id, name]),
  link: ({ outcomes }) => outcomes.links.map(({ id, name }) => [id, name]),
}

/** What the pills say instead of ids, as far as the answer knows it. */
export function clauseLabels(clauses: readonly Clause[], overview: Overview | undefined): (string | undefined)[] {
  return clauses.map(({ id, values: [value, ...others] }) => {
    if (value === undefined || others.length > 0) return undefined
    if (id === 'country_code') return countryName(value)
    if (id === 'channel') return channelName(value, value)
    const names = overview && Object.hasOwn(namesOf, id) ? namesOf[id]?.(overview) : undefined
    return names?.find(([known]) => known === value)?.[1]
  })
}
