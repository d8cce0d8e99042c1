// Segments that a question names: each is replaced by its filters before the question is understood.
import { type ClauseInput, type Goals, parseClauses } from '../analytics/clauses.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { findSegments, type Segment } from './records.ts'

/** The id of a clause that names a segment. */
export const SEGMENT = 'segment'

/** A segment, and the place of the clause that names it. */
interface Named {
  readonly segment: Segment
  readonly field: string
}

export interface Expanded {
  readonly clauses: readonly ClauseInput[]
  readonly named: readonly Named[]
}

/** @throws Problem('validation_failed') */
function namedId({ op, value }: ClauseInput, field: string): string {
  if (op !== 'equals') throw invalid(`${field}.op`, `${field}.op must be equals: a segment is one that all are in.`)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const [id] = values
  if (values.length !== 1 || typeof id !== 'string')
    throw invalid(`${field}.value`, `${field}.value must be the id of one segment.`)
  return id
}

/** @throws Problem('validation_failed') for a segment that there is not. */
export async function expandSegments(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  clauses: readonly ClauseInput[],
): Promise<Expanded> {
  const ids = clauses.map((clause, index) => (clause.id === SEGMENT ? namedId(clause, `clauses.${index}`) : undefined))
  const found = await findSegments(
    records,
    propertyId,
    ids.filter((id) => id !== undefined),
  )
  const segmentAt = (index: number): Segment | undefined => {
    const id = ids[index]
    if (id === undefined) return undefined
    const segment = found.get(id)
    if (!segment) throw invalid(`clauses.${index}.value`, `clauses.${index}.value is no segment of this property.`)
    return segment
  }
  const named = clauses.map((_, index) => segmentAt(index))
  return {
    clauses: clauses.flatMap((clause, index) => named[index]?.clauses ?? [clause]),
    named: named.flatMap((segment, index) => (segment ? [{ segment, field: `clauses.${index}.value` }] : [])),
  }
}

/** What a segment was made of may be gone since. @throws Problem('validation_failed') that says which. */
export function checkNamed(named: readonly Named[], goals: Goals | undefined): void {
  for (const { segment, field } of named) {
    try {
      parseClauses(segment.clauses, goals)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw invalid(field, `The segment “${segment.name}” does not work any more: ${error.message}`)
    }
  }
}
