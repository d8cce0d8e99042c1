// The sessions of a question that many statements ask about, computed once: what its clauses look for is
// looked for once, and what is not settled is folded once (docs/decisions/0034-rows-of-a-question.md).
import { onEachNode } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { type RowFacts, type Scope, storedRows } from './facts.ts'

export type HeldFacts = RowFacts & Pick<Facts, 'holding'>

/** A question, and which of its sessions are kept. */
export interface HeldQuestion<Asked extends Scope = Scope> {
  /** Of the statement that computes them. */
  readonly name: string
  readonly scope: Asked
  /** All that the work reads of a session, besides `day` and `session`. */
  readonly columns: readonly SessionColumn[]
}

/**
 * @param work asks about the scope that it is given, or a part of its span. Several statements: for one alone
 *   keeping is in vain.
 */
export async function withHeld<Asked extends Scope, Result>(
  facts: HeldFacts,
  question: HeldQuestion<Asked>,
  work: (scope: Asked) => Promise<Result>,
): Promise<Result> {
  const { name, scope } = question
  // Without a filter a pass over what is settled costs less than to keep it.
  if (scope.clauses.length === 0) return work(scope)
  const columns = [...new Set<SessionColumn>(['day', 'session', ...question.columns])]
  // Those of the node that reads them, so that each node of a cluster keeps its own.
  const { inSet, params, foldedDays } = await storedRows(facts, scope, columns, (table) =>
    onEachNode(table, facts.layout),
  )
  return facts.holding(name, { columns, from: inSet, params }, (tables) =>
    work(tables ? { ...scope, held: { tables, span: scope.span, foldedDays } } : scope),
  )
}
