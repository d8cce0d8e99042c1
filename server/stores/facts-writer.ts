// How rows reach the facts store (docs/decisions/0032-the-facts-log.md). They are acknowledged from the log and inserted behind the answer; or
// acknowledged once they are inserted, and from the log only while the store is away. Either way a question sees whatever was acknowledged.
import { settledWithin } from '../kernel/deadline.ts'
import { Problem } from '../kernel/problem.ts'
import { type Batcher, type BatcherLimits, openBatcher, usualLimits } from './batcher.ts'
import type { FactsEngine } from './facts-engine.ts'
import { openFactsLog, type FactsLogOptions, type FactsLogStats } from './facts-log.ts'
import type { LogEntry } from './facts-log-file.ts'
import { columnsOf } from './facts-rows.ts'
import { factTables } from './fact-defaults.ts'
import type { FactTable } from './tables.ts'

/** Rows whose insert fails for so long are left to the log; visitors who wait for an insert wait no longer than that. */
const RETRY_MS = 1_000
/** Between two looks whether the store is back. */
const FIRST_PAUSE_MS = 250
const LAST_PAUSE_MS = 5_000
/** What is read from the log at once. */
const PIECE_BYTES = 4 * 1024 * 1024
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

export interface FactsWriter {
  /**
   * Resolves once the lines are acknowledged.
   * @throws Problem('unavailable') with retryAfterSeconds when too much waits, or neither the store nor the log can be written.
   */
  add(table: FactTable, lines: readonly string[]): Promise<void>
  /**
   * Resolves once what was acknowledged before the call is in these tables of the store.
   * @throws Problem('unavailable') when that takes too long.
   */
  flush(tables: readonly FactTable[]): Promise<void>
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

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.kind === 'unavailable'

const unavailable = (message: string): Problem =>
  new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })

/** @throws Error with a sentence for the owner when the log of an earlier run is damaged. */
export async function openWriter(options: WriterOptions): Promise<FactsWriter> {
  const { engine, isLogFirst, lingerMs, log } = options
  const limits: BatcherLimits = {
    ...usualLimits,
    isBehind: isLogFirst,
    retryMs: RETRY_MS,
    ...(lingerMs !== undefined && { lingerMs }),
  }
  const batchers = Object.fromEntries(
    factTables.map((table) => [table, openBatcher(engine, table, log, limits)]),
  ) as Record<FactTable, Batcher>
  const all = Object.values(batchers)
  /** While rows are taken from the log instead of memory: after a start, and while the store is away. */
  let catchingUp: Promise<void> | undefined
  /** The last insert failed. */
  let isAway = false
  /** The last try to insert what is in the log, and how the next one begins at once. */
  let attempt: Promise<unknown> = Promise.resolve()
  let tryNow: () => void = () => undefined
  let isClosed = false

  const factsLog = await openFactsLog({
    ...options,
    onEntry: (entry) => {
      if (!catchingUp) insertBehind(entry)
    },
  })

  /** Entries on their way from memory to the store. */
  const onTheirWay: Record<string, Set<Promise<void>>> = Object.fromEntries(
    factTables.map((table) => [table, new Set()]),
  )

  function insertBehind(entry: LogEntry): void {
    const among = onTheirWay[entry.table]!
    const way: Promise<void> = insertEntry(entry)
      .catch(catchUp) // from the log, in which the entry still is
      .finally(() => among.delete(way))
    among.add(way)
  }

  /** @throws Problem('unavailable') when the store does not answer. */
  async function insertEntry(entry: LogEntry): Promise<void> {
    const [table, lines] = [entry.table as FactTable, entry.lines.split('\n')]
    try {
      await batchers[table].add(lines, entry.columns)
    } catch (error) {
      isAway = isUnavailable(error)
      if (isAway) throw error
      await insertApart(entry, lines)
    }
    isAway = false
    factsLog.remove(entry)
  }

  /** One bad row does not take its neighbours along. */
  async function insertApart(entry: LogEntry, lines: readonly string[]): Promise<void> {
    const { table, columns } = entry
    const results = await Promise.allSettled(lines.map((line) => batchers[table as FactTable].add([line], columns)))
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [{ ...result, index }] : []))
    const away = failed.find(({ reason }) => isUnavailable(reason))
    if (away) throw away.reason
    log.error({ table, rows: failed.length }, 'acknowledged rows are not ones that can be stored')
    await factsLog.refuse(entry, failed.map(({ index }) => lines[index]).join('\n'))
  }

  function catchUp(): void {
    if (isClosed) return
    catchingUp ??= insertFromLog().catch((error: unknown) => {
      catchingUp = undefined
      log.error({ err: error }, 'the facts log cannot be read')
    })
  }

  async function insertFromLog(): Promise<void> {
    for (let after = 0; !isClosed;) {
      const { entries, lastSeq } = await factsLog.read(after, PIECE_BYTES)
      // What was told of until now has been read; what is told of from now on finds nobody catching up.
      if (entries.length === 0 && lastSeq >= factsLog.lastSeq()) {
        catchingUp = undefined
        return
      }
      await insertPatiently(entries)
      after = entries.at(-1)?.seq ?? after
    }
  }

  async function insertPatiently(entries: readonly LogEntry[]): Promise<void> {
    let left = entries
    for (let pauseMs = FIRST_PAUSE_MS; left.length > 0 && !isClosed; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      const trying = Promise.allSettled(left.map(insertEntry))
      attempt = trying
      const results = await trying
      left = left.filter((_entry, index) => results[index]!.status === 'rejected')
      if (left.length > 0) await pause(pauseMs)
    }
  }

  /** Ends early when somebody waits for the store. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      tryNow = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function insertFirst(table: FactTable, lines: readonly string[]): Promise<void> {
    try {
      await batchers[table].add(lines)
    } catch (error) {
      if (!isUnavailable(error) || isClosed) throw error
      isAway = true
      catchUp()
      await factsLog.append(table, columnsOf(table), lines)
    }
  }

  async function flushAll(tables: readonly FactTable[]): Promise<true> {
    const entries = tables.flatMap((table) => [...onTheirWay[table]!])
    while (catchingUp) await catchingUp
    await Promise.all([...entries, ...tables.map((table) => batchers[table].flush())])
    // Those that the store did not take are in the log, and somebody is catching up.
    return catchingUp ? flushAll(tables) : true
  }

  async function flush(tables: readonly FactTable[]): Promise<void> {
    const isDone = !catchingUp && tables.every((table) => onTheirWay[table]!.size === 0)
    if (isDone) return
    if (isAway) {
      tryNow()
      await settledWithin(
        Promise.resolve().then(() => attempt),
        FLUSH_MS,
      )
    }
    const isStored = isAway ? undefined : await settledWithin(flushAll(tables), FLUSH_MS)
    if (!isStored) throw unavailable('The facts store does not answer.')
  }

  if (factsLog.stats().entries > 0) catchUp()

  return {
    add: async (table, lines) => {
      if (lines.length === 0) return
      if (isClosed) throw unavailable('The server is stopping.')
      if (!catchingUp && !isLogFirst) return insertFirst(table, lines)
      if (!catchingUp && batchers[table].isFull(lines)) throw unavailable('Too much is waiting to be stored.')
      await factsLog.append(table, columnsOf(table), lines)
    },
    flush,
    settle: async () => {
      await flush(factTables)
      await factsLog.emptied()
    },
    stats: () => ({ ...sumOf(all), ...factsLog.stats() }),
    close: async () => {
      if (!isAway) await settledWithin(flushAll(factTables), FLUSH_MS)
      isClosed = true
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
