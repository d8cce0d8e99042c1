// A filter in words, as pills and lists say it.
import { isolated, isPathId, shownAddress } from './address.ts'
import { anyOf } from './format.ts'
import { common as text } from './texts/index.ts'
import type { Clause } from './window.ts'

const nameOf = (names: Readonly<Record<string, string>>, id: string): string => names[id] ?? id

/** A clause in words: “Country is Germany or France”. `label` replaces a value that is an id. */
export function clauseWords({ id, op, values }: Clause, label?: string): string {
  const shown = isPathId(id) ? values.map((value) => isolated(shownAddress(value))) : values
  if (id === 'segment') return `${text.filters.segment}: ${label ?? anyOf(shown)}`
  const name = nameOf(text.filters.clauses, id)
  const operator = nameOf(text.filters.operators, op)
  return [name, operator, ...(values.length === 0 ? [] : [label ?? anyOf(shown)])].join(' ')
}
