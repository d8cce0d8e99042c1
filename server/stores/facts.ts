// The facts store: ClickHouse beside this process or on a server, behind one client and one SQL.
// An append that has returned is on disk, and in whatever is asked from then on.
import type { Logger } from 'pino'
import type { Beside } from './beside.ts'
import { openEmbedded } from './facts/embedded.ts'
import type { SaveTask, SaveWatch } from './facts/files.ts'
import { factsOver } from './facts/over.ts'
import type { WriteGate } from './gate.ts'
import type { SummedGoal } from './goal-sums.ts'
import type { RunningDay } from './running-columns.ts'
import { openServer } from './facts/server.ts'
import type { SettledDays } from './settled/settled.ts'
import type { SessionColumn } from './session-columns.ts'
import { FactsWriter, type WriterStats } from './facts-log/writer.ts'
import type { FactTable, FactTables } from './tables.ts'

export interface Facts {
  /**
   * Rows of one SELECT. 64-bit integers come as decimal strings, dates as text.
   * @param name the caller, written before the statement as a comment so that the query log leads back to the
   *   code. Whoever asks (queues/asker.ts) waits for a fair turn; the question ends when they wait no longer.
   * @param params bound by the server: `{name:Type}` in the SQL.
   * @throws Problem('unavailable') when the store does not answer or refuses the question as too heavy;
   *   'rate_limited' to who has too many waiting.
   */
  query<Row>(name: string, sql: string, params?: Readonly<Record<string, unknown>>): Promise<Row[]>
  /**
   * Sessions that many statements of one question read, computed once and kept in the memory of the store
   * until the work has ended.
   * @param work is told the tables that have them; undefined where they are not kept, because they are too
   *   many or the store cannot: then it reads them itself. When they are lost, it is done again without.
   * @throws what the work throws.
   */
  holding<Result>(
    name: string,
    query: HeldQuery,
    work: (tables: HeldTables | undefined) => Promise<Result>,
  ): Promise<Result>
  /**
   * The same for the few rows that a hit needs to know before it is stored: on a way of its own, which no
   * question blocks.
   * @param subjects when rows about these alone are asked for, hashes of sessions or ids of properties: then
   *   it does not wait for those about others.
   */
  lookup<Row>(
    name: string,
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    subjects?: readonly string[],
  ): Promise<Row[]>
  /**
   * Resolves once the row is on disk for good. Columns left out take their defaults (factDefaults).
   * @throws Problem('unavailable') with retryAfterSeconds when too much waits or the disk fails: then nothing
   *   was acknowledged.
   */
  append<T extends FactTable>(table: T, row: Partial<FactTables[T]>): Promise<void>
  /** The same for many rows at once; for the demo, imports and repairs. */
  appendAll<T extends FactTable>(table: T, rows: readonly Partial<FactTables[T]>[]): Promise<void>
  /**
   * The rows of one SELECT as a Parquet file, however many they are.
   * @throws the reason of the signal once nothing is written any more; Problem('unavailable') as `query`
   *   does.
   */
  save(name: string, task: SaveTask, watch: SaveWatch): Promise<void>
  /**
   * Statements without rows, one after the other: migrations and maintenance. What was acknowledged before
   * the call is in the store by then. In a cluster each runs on every node.
   * @param each `shard`: it changes rows that replicas tell each other of, so one of them does it.
   */
  command(name: string, sql: string | readonly string[], each?: 'node' | 'shard'): Promise<void>
  /**
   * Another text after every change of the property's facts, whoever made it: while it is the same, so is the
   * answer to any question. Ask before the question whose answer is to be kept. Undefined when nobody can
   * tell: then nothing may be kept.
   * @param beforeDay YYYY-MM-DD: of the facts of earlier days alone. Where others write too, of the weeks
   *   that began earlier.
   * @param tables of rows of these alone, where the store tells them apart; left out: of all.
   */
  version(propertyId: string, beforeDay?: string, tables?: readonly FactTable[]): Promise<string | undefined>
  /**
   * Days whose sessions need not be folded, and whose clicks, steps of forms and impressions need not be
   * counted: their copies hold the same. Ask before each question that makes use of them.
   */
  settledDays(): Promise<SettledDays>
  /**
   * A day whose sessions are kept as rows in the memory of the store, with all that was acknowledged before
   * the call; undefined when it is not. Ask before each question that makes use of it.
   * @param day YYYY-MM-DD, one that is not settled.
   */
  runningDay(propertyId: string, day: string): Promise<RunningDay | undefined>
  /**
   * Whether any session of the property is marked as invalid: questions about others leave marks out. Ask
   * before each question. What was acknowledged anywhere is known; true when nobody can tell.
   */
  hasMarks(propertyId: string): Promise<boolean>
  /** Resolves once every node knows of the marks that were stored before the call. */
  marksShown(): Promise<void>
  /**
   * Copies the days that are over, for settledDays.
   * @param isPatient leaves alone what has changed since the last call.
   * @param goals what meets them is added up beside the copies.
   * @returns the days that were copied.
   */
  settle(nowMs: number, isPatient: boolean, goals?: readonly SummedGoal[]): Promise<string[]>
  /**
   * Resolves once what was acknowledged before the call is in the store, and nothing of it in the log.
   * @throws Problem('unavailable') when that takes too long.
   */
  drained(): Promise<void>
  /** False when the store does not answer. */
  ping(): Promise<boolean>
  /** For /metrics: rows waiting now, inserts and failures since the start, and what is in the log. */
  stats(): WriterStats
  /** Inserts what waits, then lets go of the store. */
  close(): Promise<void>
  /** How tables are made here; for migrations and maintenance. */
  readonly layout: FactsLayout
  /** Whether other processes write to the same store. */
  readonly isShared: boolean
}

/** Sessions, with these columns in the types that `settled` has. */
export interface HeldQuery {
  /** Also `day` and `session`. */
  readonly columns: readonly SessionColumn[]
  /** What stands behind FROM: in a cluster the sessions of the node that reads it. */
  readonly from: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Names of tables. */
export interface HeldTables {
  /** The columns of each session. */
  readonly rows: string
  /**
   * Of the engine Set: the `day` and `session` of each, for what stands behind IN. Resolves once it has all
   * of them; statements that need none do not wait for that.
   */
  readonly keys: Promise<string>
}

export interface FactsLayout {
  /** The cluster over which every table is spread, or null when it is whole on one node. */
  readonly cluster: string | null
  /** The tables' database, the same on every node of a server; null when it is embedded. */
  readonly database: string | null
  /** Whether an insert waits until it would survive a power cut. */
  readonly fsync: boolean
  /** Whether the shards of the cluster have replicas that tell each other of their rows. */
  readonly isReplicated?: boolean
}

export interface FactsOptions {
  /** Holds the embedded store; unused with urls. */
  readonly dataDir: string
  /** Nodes of a ClickHouse server, http://user:password@host:port/database; empty: the embedded one. */
  readonly urls: readonly string[]
  readonly cluster: string | null
  /** Ceiling of the embedded engine. */
  readonly memoryMb: number
  /** Threads of one query. */
  readonly threads: number
  readonly fsync: boolean
  /**
   * `log`: rows are acknowledged before they are inserted. Without it they are where the store is in this
   * process.
   */
  readonly acknowledge?: 'log' | 'insert' | null
  /** What may wait in the log, in megabytes; a gigabyte when left out. */
  readonly logMb?: number
  /** A damaged log is set aside, and what can be read of it kept; otherwise nothing starts. */
  readonly skipsLogDamage?: boolean
  /** A server that does not answer is waited for, unless this is false. */
  readonly isPatient?: boolean
  /** Whether the nodes of the cluster are replicas, which they are asked when it is left out; for tests. */
  readonly isReplicated?: boolean | undefined
  /** How many processes write to the store; one when left out. */
  readonly nodes?: (() => number) | undefined
  /** How long rows wait for others that go into the same insert; for tests. */
  readonly lingerMs?: number | undefined
  /** Of an embedded engine that somebody else runs for this process. */
  readonly engineUrl?: string | undefined
  /** How long an insert is waited for, and by a question those before it; for tests. */
  readonly patienceMs?: number | undefined
  /** How long a question of a share link may run; for tests. */
  readonly sharedSeconds?: number | undefined
  /** False: the sessions of days that are not settled are always folded (runningDay); for tests. */
  readonly keepsRunningDays?: boolean | undefined
  /** The other processes of the service, where there are some. */
  readonly beside?: Beside | undefined
  /** That every write goes through. */
  readonly gate?: WriteGate | undefined
  readonly log: Logger
}

const MIB = 1024 * 1024
const USUAL_LOG_MB = 1024

/**
 * @throws Error with a sentence for the owner when another process holds the embedded store, a URL cannot be
 *   read, or the log of an earlier run is damaged.
 */
export async function openFacts(options: FactsOptions): Promise<Facts> {
  const isEmbedded = options.urls.length === 0
  const engine = isEmbedded ? await openEmbedded(options) : await openServer(options)
  try {
    const writer = await FactsWriter.open({
      ...options,
      engine,
      isLogFirst: (options.acknowledge ?? (isEmbedded ? 'log' : 'insert')) === 'log',
      mostBytes: ((options.logMb ?? USUAL_LOG_MB) * MIB) / (options.beside?.count ?? 1),
      skipsDamage: options.skipsLogDamage ?? false,
    })
    return factsOver(engine, writer, options)
  } catch (error) {
    await engine.close()
    throw error
  }
}
