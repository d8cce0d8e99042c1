// How rows reach the facts store (docs/decisions/0032-the-facts-log.md). They are acknowledged from the log
// and inserted behind the answer; or acknowledged once they are inserted, and from the log only while the
// store is away. Either way a question sees whatever was acknowledged.
import { settledWithin } from '../../queues/deadline.ts'
import { Batcher, type BatcherLimits, usualLimits } from './batcher.ts'
import { type FactsEngine, unavailable } from '../facts/engine.ts'
import { FactsLog, type FactsLogOptions, type FactsLogStats } from './log.ts'
import { CatchUp } from './catch-up.ts'
import { Inserter, isUnavailable } from './inserter.ts'
import type { LogEntry } from './file.ts'
import { columnsOf } from '../facts/rows.ts'
import { factTables } from '../fact-tables.ts'
import type { Beside } from '../beside.ts'
import type { FactTable } from '../tables.ts'

/**
 * Rows whose insert fails for so long are left to the log; visitors who wait for an insert wait no longer
 * than that.
 */
const RETRY_MS = 1_000
/**
 * The same for an insert that does not end, as when a node hangs: longer than any takes that is on its way.
 */
const ANSWER_MS = 3_000
/** A question waits no longer for the inserts before it. */
const FLUSH_MS = 10_000
/** The same while the store is known to be away: for a try whether it is back. */
const AWAY_MS = 2_000
/** What waits goes into the store when the writer closes, if that takes no longer; else it is in the log. */
const CLOSE_MS = 2_000

export interface WriterStats extends FactsLogStats {
  /** Rows in memory whose insert has not ended. */
  readonly waitingRows: number
  /** The others since the start. */
  readonly inserts: number
  readonly insertedRows: number
  readonly failedInserts: number
}

export interface WriterRows {
  readonly table: FactTable
  readonly lines: readonly string[]
  /** What the rows are about: hashes of sessions, and ids of properties. */
  readonly subjects: readonly string[]
}

export interface WriterOptions extends Pick<
  FactsLogOptions,
  'dataDir' | 'fsync' | 'mostBytes' | 'skipsDamage' | 'log'
> {
  readonly engine: FactsEngine
  /** Acknowledges from the log; otherwise from the store, as long as it answers. */
  readonly isLogFirst: boolean
  /** How many processes write to the store. */
  readonly nodes?: (() => number) | undefined
  readonly lingerMs?: number | undefined
  /** In place of ANSWER_MS and FLUSH_MS. */
  readonly patienceMs?: number | undefined
  /** Others that write to the same store from logs of their own. */
  readonly beside?: Beside | undefined
}

function openBatchers({ engine, isLogFirst, nodes, lingerMs, log }: WriterOptions): Record<FactTable, Batcher> {
  const limits: BatcherLimits = {
    ...usualLimits,
    isBehind: isLogFirst,
    retryMs: RETRY_MS,
    ...(nodes && { nodes }),
    ...(lingerMs !== undefined && { lingerMs }),
  }
  const open = (table: FactTable) => [table, new Batcher({ engine, table, log, limits })] as const
  return Object.fromEntries(factTables.map(open)) as Record<FactTable, Batcher>
}

export class FactsWriter {
  readonly #isLogFirst: boolean
  readonly #batchers: Record<FactTable, Batcher>
  readonly #factsLog: FactsLog
  readonly #inserter: Inserter
  readonly #catchUp: CatchUp
  readonly #beside: Beside | undefined
  readonly #answerMs: number
  readonly #flushMs: number
  #isClosed = false

  /** @throws Error with a sentence for the owner when the log of an earlier run is damaged. */
  static async open(options: WriterOptions): Promise<FactsWriter> {
    const { beside } = options
    const factsLog = await FactsLog.open({
      ...options,
      slot: beside?.slot,
      takesOver: beside?.isFirst ?? true,
      onEntry: (entry, subjects) => writer.#insertBehind(entry, subjects),
      onWaiting: (isWaiting) => beside?.setWaiting(isWaiting),
    })
    const writer: FactsWriter = new FactsWriter(options, factsLog)
    beside?.answer({
      flush: (tables, subjects) => writer.#flushOwn(tables, subjects),
      settle: () => writer.#settleOwn(),
    })
    return writer
  }

  private constructor(options: WriterOptions, factsLog: FactsLog) {
    this.#isLogFirst = options.isLogFirst
    this.#batchers = openBatchers(options)
    this.#factsLog = factsLog
    this.#inserter = new Inserter({ batchers: this.#batchers, factsLog, log: options.log })
    this.#catchUp = new CatchUp(factsLog, this.#inserter, options.log)
    this.#beside = options.beside
    this.#answerMs = options.patienceMs ?? ANSWER_MS
    this.#flushMs = options.patienceMs ?? FLUSH_MS
    if (factsLog.stats().entries > 0) this.#catchUp.start()
  }

  /**
   * Resolves once the lines are acknowledged.
   * @throws Problem('unavailable') with retryAfterSeconds when too much waits, or neither the store nor the
   *   log can be written.
   */
  async add(rows: WriterRows): Promise<void> {
    const { table, lines } = rows
    if (lines.length === 0) return
    if (this.#isClosed) throw unavailable('The server is stopping.')
    if (!this.#catchUp.work && !this.#isLogFirst) return this.#insertFirst(rows)
    const batcher = this.#batchers[table]
    if (!this.#catchUp.work) await batcher.calm()
    if (!this.#catchUp.work && batcher.isFull(lines)) throw unavailable('Too much is waiting to be stored.')
    await this.#addToLog(rows)
  }

  /**
   * Resolves once what was acknowledged before the call, here or by another process of the service, is in
   * these tables of the store.
   * @param subjects when only rows about these matter: hashes of sessions, or ids of properties.
   * @throws Problem('unavailable') when that takes too long.
   */
  async flush(tables: readonly FactTable[], subjects?: readonly string[]): Promise<void> {
    await Promise.all([this.#flushOwn(tables, subjects), this.#beside?.flushOthers(tables, subjects)])
  }

  async #flushOwn(tables: readonly FactTable[], subjects?: readonly string[]): Promise<void> {
    const isUnder = subjects ? this.#inserter.isAbout(subjects) : this.#inserter.isBusy(tables)
    if (!this.#catchUp.work && !isUnder) return
    if (this.#inserter.isAway) await settledWithin(this.#catchUp.nextTry(), AWAY_MS)
    const isStored = !this.#inserter.isAway && (await settledWithin(this.#flushAll(tables), this.#flushMs))
    if (!isStored) throw unavailable('The facts store is not responding.')
  }

  /** The same for all tables, and nothing of it is left in the log: for what changes or copies the store. */
  async settle(): Promise<void> {
    await Promise.all([this.#settleOwn(), this.#beside?.settleOthers()])
  }

  async #settleOwn(): Promise<void> {
    await this.#flushOwn(factTables)
    await this.#factsLog.emptied()
  }

  stats(): WriterStats {
    return { ...sumOf(Object.values(this.#batchers)), ...this.#factsLog.stats() }
  }

  /** Inserts what waits, as far as the store takes it: the rest stays in the log. */
  async close(): Promise<void> {
    if (!this.#inserter.isAway) await settledWithin(this.#flushAll(factTables), CLOSE_MS)
    this.#isClosed = true
    this.#catchUp.stop()
    const batchers = Object.values(this.#batchers)
    await settledWithin(Promise.all(batchers.map((batcher) => batcher.close())), CLOSE_MS)
    await this.#factsLog.close()
  }

  #addToLog(rows: WriterRows): Promise<void> {
    return this.#factsLog.append({ ...rows, columns: columnsOf(rows.table) })
  }

  /** While the log is being read, the entry is read with it. */
  #insertBehind(entry: LogEntry, subjects: readonly string[]): void {
    if (!this.#catchUp.work) this.#inserter.insertBehind(entry, subjects, () => this.#catchUp.start())
  }

  async #insertFirst(rows: WriterRows): Promise<void> {
    try {
      await orUnavailable(this.#batchers[rows.table].add(rows.lines), this.#answerMs)
    } catch (error) {
      if (!isUnavailable(error) || this.#isClosed) throw error
      this.#inserter.isAway = true
      this.#catchUp.start()
      await this.#addToLog(rows)
    }
  }

  async #flushAll(tables: readonly FactTable[]): Promise<true> {
    while (this.#catchUp.work) await this.#catchUp.work
    await this.#inserter.flush(tables)
    // Those that the store did not take are in the log, and are being read from there.
    return this.#catchUp.work ? this.#flushAll(tables) : true
  }
}

/** An insert that goes on all the same does no harm: rows that are stored twice count once. */
async function orUnavailable(work: Promise<void>, ms: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable('The facts store is not responding.')), ms)
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function sumOf(batchers: readonly Batcher[]) {
  const stats = batchers.map((batcher) => batcher.stats())
  const sum = (count: (one: (typeof stats)[number]) => number) => stats.reduce((total, one) => total + count(one), 0)
  return {
    waitingRows: sum((one) => one.waitingRows),
    inserts: sum((one) => one.inserts),
    insertedRows: sum((one) => one.insertedRows),
    failedInserts: sum((one) => one.failedInserts),
  }
}

/** An engine that is asked only when what was acknowledged is inserted. */
export function seeingAll(engine: FactsEngine, writer: FactsWriter): FactsEngine {
  return {
    ...engine,
    read: async (...given) => {
      await writer.flush(factTables)
      return engine.read(...given)
    },
  }
}
