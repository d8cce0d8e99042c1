// What a store of facts is told of the other processes of its service, where WORKERS says that there are
// some: they write to the same facts, each with a log of its own, and share the turns of questions.
import type { QuestionTurns } from './question-turns.ts'
import type { FactTable } from './tables.ts'

/** What other processes ask of this one before their questions. */
export interface OwnRows {
  /**
   * Resolves once what was acknowledged here before is in these tables, as far as it is about the subjects.
   */
  flush(tables: readonly FactTable[], subjects?: readonly string[]): Promise<void>
  /** The same for all tables, and nothing of it is left in the log. */
  settle(): Promise<void>
}

/** What one process tells another of what it has changed: see facts/news.ts. */
export interface NewsLine<News> {
  /** The numbers of all others. */
  readonly others: readonly number[]
  /** Says whether there is something that the other one has not taken. */
  setNews(to: number, has: boolean): void
  /** Those that have something for this one, which is told without asking them. */
  list(): number[]
  /**
   * However long it takes: what was given is not given again. @throws when nobody will be there any more.
   */
  ask(slot: number): Promise<News>
  /** @param give is called with the number of whoever asks. */
  answer(give: (to: number) => News): void
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
  /** Its ends are of one version of the program: what goes over it is theirs to know. */
  newsLine<News>(): NewsLine<News>
}
