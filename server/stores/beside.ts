// What a store of facts is told of the other processes of its service, where WORKERS says that there are some:
// they write to the same facts, each with a log of its own, and share the turns of questions.
import type { QuestionTurns } from './question-turns.ts'
import type { FactTable } from './tables.ts'

/** What other processes ask of this one before their questions. */
export interface OwnRows {
  /** Resolves once what was acknowledged here before is in these tables, as far as it is about the subjects. */
  flush(tables: readonly FactTable[], subjects?: readonly string[]): Promise<void>
  /** The same for all tables, and nothing of it is left in the log. */
  settle(): Promise<void>
}

export interface Beside {
  /** From 1: whose log it is. One process at a time has it. */
  readonly slot: number
  /** How many processes there are. */
  readonly count: number
  /** The others begin later: what an earlier run has left in their logs is taken over. */
  readonly isFirst: boolean
  readonly turns: QuestionTurns
  /** To be called before rows are acknowledged that are not inserted yet, and once none is left. */
  setWaiting(isWaiting: boolean): void
  /**
   * The same of all others; undefined when none of them has rows that wait, which is told without asking
   * them.
   * @throws Problem('unavailable') when one of them cannot say so.
   */
  flushOthers(tables: readonly FactTable[], subjects?: readonly string[]): Promise<void> | undefined
  settleOthers(): Promise<void> | undefined
  /** What the others ask is answered from now on; until then they wait. */
  answer(own: OwnRows): void
}
