// Takes entries of the facts log to the store, and knows which ones are on their way.
import type { Logger } from 'pino'
import { Problem } from '../../kernel/problem.ts'
import type { Batcher } from './batcher.ts'
import { factTables } from '../fact-tables.ts'
import type { FactsLog } from './log.ts'
import type { LogEntry } from './file.ts'
import type { FactTable } from '../tables.ts'

export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.kind === 'unavailable'

export interface InserterParts {
  readonly batchers: Readonly<Record<FactTable, Batcher>>
  readonly factsLog: Pick<FactsLog, 'remove' | 'refuse'>
  readonly log: Logger
}

export class Inserter {
  readonly #parts: InserterParts
  /** Entries on their way from memory to the store, by table. */
  readonly #under = new Map<string, Set<Promise<void>>>(factTables.map((table) => [table, new Set()]))
  /** What these are about, and by how many entries. */
  readonly #subjects = new Map<string, number>()
  /** Since the last insert that failed. */
  isAway = false

  constructor(parts: InserterParts) {
    this.#parts = parts
  }

  /** @throws Problem('unavailable') when the store does not answer; then the entry is still in the log. */
  async insert(entry: LogEntry): Promise<void> {
    const lines = entry.lines.split('\n')
    try {
      await this.#batcherOf(entry).add(lines, entry.columns)
    } catch (error) {
      // Without a cause, too much waited at that moment.
      if (isUnavailable(error)) this.isAway ||= error.cause !== undefined
      if (isUnavailable(error)) throw error
      await this.#insertApart(entry, lines)
    }
    this.isAway = false
    this.#parts.factsLog.remove(entry)
  }

  /**
   * The same without a wait.
   * @param subjects that the rows are about.
   * @param failed is called when the store does not answer.
   */
  insertBehind(entry: LogEntry, subjects: readonly string[], failed: () => void): void {
    const under = this.#under.get(entry.table)!
    this.#count(subjects, 1)
    const work: Promise<void> = this.insert(entry)
      .catch(failed)
      .finally(() => {
        under.delete(work)
        this.#count(subjects, -1)
      })
    under.add(work)
  }

  /** Whether rows of these tables are on their way. */
  isBusy(tables: readonly FactTable[]): boolean {
    return tables.some((table) => this.#under.get(table)!.size > 0)
  }

  /** Whether rows about one of these are. */
  isAbout(subjects: readonly string[]): boolean {
    return subjects.some((subject) => this.#subjects.has(subject))
  }

  /** Resolves once the entries of these tables that are on their way now have arrived, or have failed. */
  async flush(tables: readonly FactTable[]): Promise<void> {
    const under = tables.flatMap((table) => [...this.#under.get(table)!])
    await Promise.all([...under, ...tables.map((table) => this.#parts.batchers[table].flush())])
  }

  /** One bad row does not take its neighbours along. */
  async #insertApart(entry: LogEntry, lines: readonly string[]): Promise<void> {
    const batcher = this.#batcherOf(entry)
    const results = await Promise.allSettled(lines.map((line) => batcher.add([line], entry.columns)))
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [{ ...result, index }] : []))
    const away = failed.find(({ reason }) => isUnavailable(reason))
    if (away) throw away.reason
    const { factsLog, log } = this.#parts
    log.error({ table: entry.table, rows: failed.length }, 'acknowledged rows are not ones that can be stored')
    await factsLog.refuse(entry, failed.map(({ index }) => lines[index]).join('\n'))
  }

  #batcherOf({ table }: LogEntry): Batcher {
    return this.#parts.batchers[table as FactTable]
  }

  #count(subjects: readonly string[], change: 1 | -1): void {
    for (const subject of subjects) {
      const count = (this.#subjects.get(subject) ?? 0) + change
      if (count > 0) this.#subjects.set(subject, count)
      else this.#subjects.delete(subject)
    }
  }
}
