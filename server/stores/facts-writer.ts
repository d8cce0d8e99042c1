// How rows reach the facts store (docs/decisions/0032-the-facts-log.md). They are acknowledged from the log and inserted behind the answer; or
// acknowledged once they are inserted, and from the log only while the store is away. Either way a question sees whatever was acknowledged.
import { settledWithin } from '../queues/deadline.ts'
import { Problem } from '../kernel/problem.ts'
import { type Batcher, type BatcherLimits, openBatcher, usualLimits } from './batcher.ts'
import type { FactsEngine } from './facts-engine.ts'
import { openFactsLog, type FactsLogOptions, type FactsLogStats } from './facts-log.ts'
import { CatchUp } from './facts-catch-up.ts'
import { Inserter, isUnavailable } from './facts-inserter.ts'
import { columnsOf } from './facts-rows.ts'
import { factTables } from './fact-defaults.ts'
import type { FactTable } from './tables.ts'

/** Rows whose insert fails for so long are left to the log; visitors who wait for an insert wait no longer than that. */
const RETRY_MS = 1_000
/** A question waits no longer for the inserts before it. */
const FLUSH_MS = 10_000
const RETRY_AFTER_SECONDS = 5

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
  /** Hashes of the sessions that the rows are about. */
  readonly sessions: readonly string[]
}

export interface FactsWriter {
  /**
   * Resolves once the lines are acknowledged.
   * @throws Problem('unavailable') with retryAfterSeconds when too much waits, or neither the store nor the log can be written.
   */
  add(rows: WriterRows): Promise<void>
  /**
   * Resolves once what was acknowledged before the call is in these tables of the store.
   * @param sessions when only rows about these matter, by their hashes.
   * @throws Problem('unavailable') when that takes too long.
   */
  flush(tables: readonly FactTable[], sessions?: readonly string[]): Promise<void>
  /** The same for all tables, and nothing of it is left in the log: for what changes or copies the store. */
  settle(): Promise<void>
  stats(): WriterStats
  /** Inserts what waits, as far as the store takes it: the rest stays in the log. */
  close(): Promise<void>
}

export interface WriterOptions extends Omit<FactsLogOptions, 'onEntry'> {
  readonly engine: FactsEngine
  /** Acknowledges from the log; otherwise from the store, as long as it answers. */
  readonly isLogFirst: boolean
  readonly lingerMs?: number | undefined
}

const unavailable = (message: string): Problem =>
  new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })

function openBatchers({ engine, isLogFirst, lingerMs, log }: WriterOptions): Record<FactTable, Batcher> {
  const limits: BatcherLimits = {
    ...usualLimits,
    isBehind: isLogFirst,
    retryMs: RETRY_MS,
    ...(lingerMs !== undefined && { lingerMs }),
  }
  const open = (table: FactTable) => [table, openBatcher(engine, table, log, limits)] as const
  return Object.fromEntries(factTables.map(open)) as Record<FactTable, Batcher>
}

/** @throws Error with a sentence for the owner when the log of an earlier run is damaged. */
export async function openWriter(options: WriterOptions): Promise<FactsWriter> {
  const { isLogFirst, log } = options
  const batchers = openBatchers(options)
  const all = Object.values(batchers)
  const factsLog = await openFactsLog({
    ...options,
    onEntry: (entry, sessions) => {
      // Where the log is being read, the entry is read too.
      if (!catchUp.work) inserter.insertBehind(entry, sessions, () => catchUp.start())
    },
  })
  const inserter = new Inserter({ batchers, factsLog, log })
  const catchUp = new CatchUp(factsLog, inserter, log)
  let isClosed = false

  const addToLog = (rows: WriterRows): Promise<void> => factsLog.append({ ...rows, columns: columnsOf(rows.table) })

  async function insertFirst(rows: WriterRows): Promise<void> {
    try {
      await batchers[rows.table].add(rows.lines)
    } catch (error) {
      if (!isUnavailable(error) || isClosed) throw error
      inserter.isAway = true
      catchUp.start()
      await addToLog(rows)
    }
  }

  async function flushAll(tables: readonly FactTable[]): Promise<true> {
    while (catchUp.work) await catchUp.work
    await inserter.flush(tables)
    // Those that the store did not take are in the log, and are being read from there.
    return catchUp.work ? flushAll(tables) : true
  }

  async function flush(tables: readonly FactTable[], sessions?: readonly string[]): Promise<void> {
    const isNeeded = catchUp.work || (sessions ? inserter.isAbout(sessions) : inserter.isBusy(tables))
    if (!isNeeded) return
    if (inserter.isAway) await settledWithin(catchUp.nextTry(), FLUSH_MS)
    const isStored = !inserter.isAway && (await settledWithin(flushAll(tables), FLUSH_MS))
    if (!isStored) throw unavailable('The facts store does not answer.')
  }

  if (factsLog.stats().entries > 0) catchUp.start()

  return {
    add: async (rows) => {
      const { table, lines } = rows
      if (lines.length === 0) return
      if (isClosed) throw unavailable('The server is stopping.')
      if (!catchUp.work && !isLogFirst) return insertFirst(rows)
      if (!catchUp.work) await batchers[table].calm()
      if (!catchUp.work && batchers[table].isFull(lines)) throw unavailable('Too much is waiting to be stored.')
      await addToLog(rows)
    },
    flush,
    settle: async () => {
      await flush(factTables)
      await factsLog.emptied()
    },
    stats: () => ({ ...sumOf(all), ...factsLog.stats() }),
    close: async () => {
      if (!inserter.isAway) await settledWithin(flushAll(factTables), FLUSH_MS)
      isClosed = true
      catchUp.stop()
      await Promise.all(all.map((batcher) => batcher.close()))
      await factsLog.close()
    },
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
