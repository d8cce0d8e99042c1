// Rows that a statement is given as one parameter: its text is the same however many there are, so that it is
// prepared once, and quick to put together.
import { type RawBuilder, sql } from 'kysely'
import { recordsKind, type Records, type Tx } from './records.ts'

/**
 * The members of a list, each as `value`: of a list its members by `value ->> 0`, of an object by
 * `value ->> 'name'`. PostgreSQL reads texts there: cast what is none.
 */
export function jsonRows(records: Records | Tx, rows: readonly unknown[]): RawBuilder<unknown> {
  const text = JSON.stringify(rows)
  return recordsKind(records) === 'sqlite'
    ? sql`json_each(${text}) as asked`
    : sql`json_array_elements(cast(${text} as json)) as asked (value)`
}
