// Statements that are put together once: to build and compile one takes longer than the database takes to
// find a row by its key, and a call that comes often would do it each time.
import type { CompiledQuery } from 'kysely'
import { type Records, recordsKind, type Tx } from './records.ts'

/** Stands in a statement for a value that is given when it is run. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

interface Built<Row> {
  compile(): CompiledQuery<Row>
}

/**
 * @param build is called once for each kind of database. What it is given stands for the values: it puts each
 * where a value goes, as the right side of a comparison, and does nothing else with it.
 * @returns the statement with these values, for `executeQuery`, `writeAll` and `writeWhile`.
 */
export function builtOnce<Values extends object, Row>(build: (records: Records | Tx, values: Values) => Built<Row>) {
  const built = new Map<'sqlite' | 'postgres', CompiledQuery<Row>>()
  const statementOf = (records: Records | Tx): CompiledQuery<Row> => {
    const kind = recordsKind(records)
    const statement = built.get(kind) ?? build(records, slots as Values).compile()
    built.set(kind, statement)
    return statement
  }
  return (records: Records | Tx, values: Values): CompiledQuery<Row> => {
    const statement = statementOf(records)
    const given = new Map<string, unknown>(Object.entries(values))
    const parameters = statement.parameters.map((each) => (each instanceof Slot ? given.get(each.name) : each))
    return { ...statement, parameters }
  }
}
