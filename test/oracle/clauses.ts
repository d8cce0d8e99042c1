// Clauses, by docs/definitions.md ("Clauses"): does a session hold?
import type { Described } from './fold.ts'
import type { Scalar } from './hits.ts'

export interface Clause {
  readonly id: string
  readonly op: string
  readonly value?: Scalar | readonly Scalar[]
}

export const eventIds = ['event_name', 'event_value', 'event_value_num', 'event_meta']

const opposite: Record<string, string> = { not_equals: 'equals', not_contains: 'contains', is_not_set: 'is_set' }

const valuesOf = (clause: Clause): string[] =>
  clause.value === undefined ? [] : (Array.isArray(clause.value) ? clause.value : [clause.value]).map(String)

const bare = (text: string) => text.toLowerCase()

/** Positive operators over one text. */
function textHolds(op: string, text: string, values: readonly string[]): boolean {
  switch (op) {
    case 'is_set':
      return text !== ''
    case 'equals':
      return values.includes(text)
    case 'contains':
      return values.some((value) => bare(text).includes(bare(value)))
    case 'starts_with':
      return values.some((value) => bare(text).startsWith(bare(value)))
    case 'ends_with':
      return values.some((value) => bare(text).endsWith(bare(value)))
    default:
      throw new Error(`the oracle does not know ${op}`)
  }
}

/** Positive operators over a number; a number that is not there fulfils none of them. */
function numberHolds(op: string, number: number | null, values: readonly string[]): boolean {
  if (number === null) return false
  switch (op) {
    case 'is_set':
      return true
    case 'equals':
      return values.some((value) => number === Number(value))
    case 'gt':
      return values.some((value) => number > Number(value))
    case 'gte':
      return values.some((value) => number >= Number(value))
    case 'lt':
      return values.some((value) => number < Number(value))
    case 'lte':
      return values.some((value) => number <= Number(value))
    default:
      throw new Error(`the oracle does not know ${op} of a number`)
  }
}

/** A negative operator holds where its positive one does not. */
function negatable(op: string, positive: (op: string) => boolean): boolean {
  const affirmed = opposite[op]
  return affirmed ? !positive(affirmed) : positive(op)
}

function eventHolds(event: Described['session']['events'][number], clause: Clause): boolean {
  const values = valuesOf(clause)
  if (clause.id === 'event_value_num') return negatable(clause.op, (op) => numberHolds(op, event.number, values))
  if (clause.id === 'event_meta')
    return negatable(clause.op, (op) => event.pairs.some((pair) => textHolds(op, pair, values)))
  const text = clause.id === 'event_name' ? event.name : (event.value ?? '')
  return negatable(clause.op, (op) => textHolds(op, text, values))
}

function sessionHolds(described: Described, clause: Clause): boolean {
  const { session, texts } = described
  const several: Record<string, readonly string[]> = {
    page_path: session.views.map((view) => view.path),
    tag: [...session.tags],
    form: described.forms.map(({ id }) => id),
    conversion: described.conversions,
  }
  const candidates = several[clause.id] ?? [texts[clause.id] ?? '']
  return negatable(clause.op, (op) => candidates.some((text) => textHolds(op, text, valuesOf(clause))))
}

/** All clauses of a request hold together; the event clauses among them speak of one event. */
export function holds(described: Described, clauses: readonly Clause[]): boolean {
  const aboutEvents = clauses.filter((clause) => eventIds.includes(clause.id))
  const aboutSession = clauses.filter((clause) => !eventIds.includes(clause.id))
  return (
    aboutSession.every((clause) => sessionHolds(described, clause)) &&
    (aboutEvents.length === 0 ||
      described.session.events.some((event) => aboutEvents.every((clause) => eventHolds(event, clause))))
  )
}
