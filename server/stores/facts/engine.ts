// What the facts store asks of an engine, embedded or a server, and what the engine's errors mean.
import type { Load, TurnTaker } from '../../queues/fair-turns.ts'
import { Problem } from '../../kernel/problem.ts'
import type { SaveTask, SaveWatch } from './files.ts'
import type { ReadLane } from '../question-turns.ts'
import type { FactTable } from '../tables.ts'

export interface FactsEngine {
  /**
   * Rows of one SELECT; parameters are bound, never written into the statement.
   * @param taker whose turn it takes; left out: the service's own.
   * @throws the reason of the signal, once nothing works for the answer any more.
   */
  read(sql: string, params: Readonly<Record<string, unknown>>, lane: ReadLane, taker?: TurnTaker): Promise<unknown[]>
  /**
   * The same for a statement without rows, on every node: one that keeps the rows of another statement for
   * questions.
   */
  everywhere(sql: string, params: Readonly<Record<string, unknown>>, lane: ReadLane, taker?: TurnTaker): Promise<void>
  /**
   * Resolves once the lines (encodeRow) are stored. The token names the insert, so that a retry of it is
   * known as one.
   */
  insert(table: FactTable, columns: string, lines: readonly string[], token: string): Promise<void>
  /** @param each `shard`: on one replica of each, where the tables that it changes tell the others. */
  command(sql: string, each?: 'node' | 'shard'): Promise<void>
  /** Whether shards have replicas that tell each other of their rows. */
  readonly isReplicated?: boolean
  /**
   * Of a store that others write to as well: another text after every insert of anybody. Undefined when it
   * cannot be had. An engine without it is written to by this process alone.
   * @param beforeDay YYYY-MM-DD: of the weeks alone that began earlier.
   */
  version?(beforeDay?: string): Promise<string | undefined>
  /**
   * Resolves once the rows are in the file, rejects with the reason of the signal once nothing is written any
   * more.
   */
  save(task: SaveTask, watch: SaveWatch): Promise<void>
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** Settings of every statement. */
export const commonSettings = {
  // Our own batches are the grouping; a second one on the server would acknowledge before it stores, or wait
  // for nothing.
  async_insert: 0,
  output_format_json_quote_64bit_integers: 1,
  // Compiling an expression takes 40 ms, and filters make new ones every time: an overview of a million
  // sessions is sooner there without (docs/decisions/0035-engine-process.md).
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
} as const

/**
 * A statement ends when its connection does: ClickHouse heeds the one setting only where the other says that
 * nothing is written; 2 leaves the settings of the statement free.
 */
export const endsWithItsCaller = { cancel_http_readonly_queries_on_client_close: 1, readonly: '2' } as const

/** A question that runs longer is refused as too heavy. */
const QUERY_SECONDS = 30
/** The same of a share link. */
export const SHARED_QUERY_SECONDS = 5

/** Whose work stands still while that of others runs; 1 goes first. */
const priorities = { usual: 1, ofMuch: 2, shared: 3 } as const

export interface QuestionOptions {
  /** Of a question. */
  readonly threads: number
  /** A question of a share link that runs longer is refused as too heavy; in tests longer than usual. */
  readonly sharedSeconds?: number | undefined
}

/**
 * What one question may do beyond the settings of its connection. One that gives way runs on one thread as
 * well: what stands still goes on for a moment every second, and before it reads it never stands still.
 */
export function questionSettings(
  lane: ReadLane,
  load: Load,
  { threads, sharedSeconds = SHARED_QUERY_SECONDS }: QuestionOptions,
): Readonly<Record<string, number>> {
  if (lane === 'lookup') return {}
  if (lane === 'shared') return { priority: priorities.shared, max_threads: 1, max_execution_time: sharedSeconds }
  if (!load.takesMuch) return { priority: priorities.usual, max_threads: threads }
  return { priority: priorities.ofMuch, max_threads: load.givesWay ? 1 : threads }
}

/** Whose turn a question takes that nobody asks. */
export const theService: TurnTaker = { propertyId: '', caller: '' }

/**
 * Settings of a question. A partition holds a whole week of the folded tables, so FINAL never has to look
 * across.
 */
export function readSettings(threads: number, memoryBytes: number): Readonly<Record<string, number>> {
  return {
    ...commonSettings,
    do_not_merge_across_partitions_select_final: 1,
    // Answers have few rows: two threads are started to format them otherwise, which costs more than a small
    // question (docs/decisions/0035-engine-process.md).
    output_format_parallel_formatting: 0,
    // Of conditions on what a table is sorted by alone: they hold for all rows that are folded into one, and
    // what does not meet them is neither read nor folded.
    optimize_move_to_prewhere_if_final: 1,
    max_threads: threads,
    // For it the engine reads the inner question ahead with a thread for every part, whatever max_threads
    // says, and it takes twice the time.
    use_index_for_in_with_subqueries: 0,
    max_memory_usage: memoryBytes,
    // Half for the aggregation, half for reading what it has put on disk.
    max_bytes_before_external_group_by: Math.floor(memoryBytes / 2),
    max_bytes_before_external_sort: Math.floor(memoryBytes / 2),
    max_execution_time: QUERY_SECONDS,
  }
}

export const insertSettings: Readonly<Record<string, number>> = {
  ...commonSettings,
  // A year of demo data comes in one insert; every week is a partition. Above, a wrong clock could make parts
  // without end.
  max_partitions_per_insert_block: 600,
  max_threads: 1,
  max_insert_threads: 1,
  // Rows are folded by merges and FINAL anyway; folding each small insert as well costs a quarter of it.
  optimize_on_insert: 0,
  // A few hundred lines are parsed before more threads have started.
  input_format_parallel_parsing: 0,
}

/**
 * The number of ClickHouse's own error, undefined for what came from the wire. The two clients bring a class
 * each, so the shape decides.
 */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\d+$/.test(code) ? code : undefined
}

/**
 * Codes of ClickHouse that say: this text is no row of that table. Any other failure may be over at the next
 * try.
 */
const badRowCodes = new Set([
  '6',
  '19',
  '25',
  '26',
  '27',
  '28',
  '33',
  '34',
  '38',
  '41',
  '53',
  '69',
  '70',
  '72',
  '117',
  '130',
  '131',
  '190',
  '321',
  '349',
  '636',
])

/** True when the insert itself is wrong, so that trying again is in vain. */
export function isBadRow(error: unknown): boolean {
  return badRowCodes.has(codeOf(error) ?? '') && !isNodeAway(error)
}

const OUT_OF_MEMORY = '241'

/** Out of time, rows, bytes or memory, or too many at once. */
const tooHeavyCodes = new Set(['158', '159', '160', '202', OUT_OF_MEMORY, '307', '394', '396'])

/** It took more memory than it may have, or than there was. */
export const isOutOfMemory = (error: unknown): boolean => codeOf(error) === OUT_OF_MEMORY

/**
 * A node did not reach another one (32, 198, 203, 209, 210, 279), or is on its way out or in: 236 while it
 * shuts down, 439 without threads, 225, 242 and 999 without Keeper.
 */
const awayCodes = new Set(['32', '198', '203', '209', '210', '225', '236', '242', '279', '439', '999'])

/** A connection between nodes that broke off has the code of whatever was being read at that moment. */
const brokenOff = /while receiving packet from|(?:reading from|writing to) socket|[Ss]erver is shutting down/

/** No answer from a node: what is no error of ClickHouse is one of the wire. */
export function isNodeAway(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined || awayCodes.has(code) || (error instanceof Error && brokenOff.test(error.message))
}

const RETRY_AFTER_SECONDS = 5

/** What a caller is answered while the store or its log cannot take or answer anything. */
export function unavailable(message: string, cause?: unknown): Problem {
  return new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

/** The statement stays in the cause, for the log; the caller sees a sentence. */
export function asQueryFailure(name: string, error: unknown): Error {
  if (error instanceof Problem) return error
  if (tooHeavyCodes.has(codeOf(error) ?? '')) {
    return new Problem(
      'unavailable',
      'This question is too heavy for the facts store: choose a narrower window or fewer clauses.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      },
    )
  }
  if (isNodeAway(error)) return unavailable('The facts store is not responding.', error)
  return new Error(`The question ${name} failed in the facts store.`, { cause: error })
}
