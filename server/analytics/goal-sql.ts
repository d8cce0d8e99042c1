// Conversions as sessions that meet them: for the clause that names some.
import { type Definition, matchingAs } from '../conversions/conversions.ts'
import type { FactTable } from '../stores/tables.ts'
import type { Fragment } from './clause-sql.ts'

/**
 * That a fact of the session meets one of the conversions, whenever it came. However many there are, each
 * table is read once. The statement also binds the property and the days of the sessions.
 * @param name of this condition among those of the statement.
 */
export function meetsAny(goals: readonly Definition[], name: string, tableOf: (table: FactTable) => string): Fragment {
  const all = goals.map((goal, index) => matchingAs(`${name}_${index}`, goal))
  const sets = [...Map.groupBy(all, ({ table }) => table)].map(([table, ofTable]) => {
    const day = ofTable[0]?.day ?? 'day'
    const within = `property = {property:String} AND ${day} BETWEEN {day_from:Date} AND {day_to:Date} AND session != 0`
    const any = ofTable.map(({ sql }) => sql).join(' OR ')
    return `(day, session) IN (SELECT ${day}, session FROM ${tableOf(table)} WHERE ${within} AND (${any}))`
  })
  return {
    sql: `(${sets.join(' OR ')})`,
    params: Object.assign({}, ...all.map(({ params }) => params)) as object as Fragment['params'],
  }
}
