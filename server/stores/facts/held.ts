// Rows that many statements of one question read, computed once: a table in the memory of the store, for as
// long as the question lasts (docs/decisions/0034-rows-of-a-question.md). They only spare work. Where they
// are too many, or cannot be kept, or are lost, the statements read for themselves what they would have held.
import { randomUUID } from 'node:crypto'
import type { FactsEngine } from './engine.ts'
import type { FactsLayout, HeldQuery, HeldTables } from '../facts.ts'
import type { TurnTaker } from '../../queues/fair-turns.ts'
import { storedName } from '../migrations/facts.ts'
import type { ReadLane } from '../question-turns.ts'

export interface HeldLimits {
  /** How many nodes a table has to be on; 0 where it cannot be told which: then nothing is kept. */
  readonly nodes: number
  /** Of one question, on each node. A session takes about a hundred bytes. */
  readonly mostRows: number
  /** Of all questions together: with more in memory the next one keeps nothing. */
  readonly mostBytes: number
}

/** Whose turn it takes to compute them. */
export interface HeldTurn {
  /** The caller, for the query log. */
  readonly name: string
  readonly lane: ReadLane
  readonly taker: TurnTaker
}

/** A table of another process that is there for so long belongs to nobody: questions are shorter. */
const LOST_MS = 600_000
/** How often it is looked for such tables; and how soon after a failure rows are kept again. */
const SWEEP_MS = 60_000

/**
 * Of a set: cells of 16 bytes, of which at least half are empty; there are 256, and then four times as many.
 */
const keyBytes = (rows: number): number => 16 * Math.max(256, 4 ** Math.ceil(Math.log(2 * rows) / Math.log(4)))

/** Codes of ClickHouse: there is no such table, or no such database. */
const goneCodes = new Set(['60', '81'])

/** The store was started again under a question, and what it had in memory is lost. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && goneCodes.has(String(error.code))) || isGone(error.cause)
}

/** The rows are there, and their keys are not. */
class KeysMissing extends Error {}

export class Held {
  readonly #engine: FactsEngine
  readonly #layout: FactsLayout
  readonly #limits: HeldLimits
  readonly #nowMs: () => number
  readonly #database: string
  #ready: { readonly sinceMs: number; readonly isReady: Promise<boolean> } | undefined
  #bytes = 0
  readonly #own = new Set<string>()
  readonly #drops = new Set<Promise<void>>()
  /** Tables of other processes, and since when they are known. */
  readonly #others = new Map<string, number>()

  /** @param nowMs a clock that is never set, for tests. */
  constructor(
    engine: FactsEngine,
    layout: FactsLayout,
    limits: HeldLimits,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#engine = engine
    this.#layout = layout
    this.#limits = limits
    this.#nowMs = nowMs
    this.#database = layout.database === null ? 'questions' : `${layout.database}_questions`
  }

  /**
   * @param work is told the tables; undefined when the rows are not kept. When they are lost meanwhile, it is
   *   called again without.
   * @throws what the work throws; the reason of the taker's signal.
   */
  async holding<Result>(
    query: HeldQuery,
    turn: HeldTurn,
    work: (tables: HeldTables | undefined) => Promise<Result>,
  ): Promise<Result> {
    const name = await this.#keep(query, turn)
    if (name === undefined) return work(undefined)
    const keys = this.#keepKeys(name, turn)
    const { bytes, ofAll } = await this.#sizeOf(name)
    this.#bytes += bytes
    try {
      const isWithin = bytes > 0 && Math.max(this.#bytes, ofAll) <= this.#limits.mostBytes
      return await work(isWithin ? { rows: this.#tablesOf(name).rows, keys } : undefined)
    } catch (error) {
      if (!isGone(error) && !(error instanceof KeysMissing)) throw error
      if (isGone(error)) this.#ready = undefined
      return await work(undefined)
    } finally {
      this.#bytes -= bytes
      this.#drop(name, keys)
    }
  }

  /** Resolves once nothing of this process is left. */
  async close(): Promise<void> {
    while (this.#drops.size > 0) await Promise.all(this.#drops)
  }

  /** @returns the name of the table; undefined when there is none. */
  async #keep({ columns, from, params }: HeldQuery, turn: HeldTurn): Promise<string | undefined> {
    if (this.#limits.nodes === 0 || this.#bytes >= this.#limits.mostBytes || !(await this.#prepare())) return undefined
    const name = randomUUID().replaceAll('-', '')
    const tables = this.#tablesOf(name)
    const names = columns.join(', ')
    this.#own.add(name)
    try {
      const like = `SELECT ${names} FROM ${storedName('settled', this.#layout)}`
      await this.#everywhere(`CREATE TABLE ${tables.rows} ENGINE = Memory EMPTY AS ${like}`)
      const rows = `SELECT ${names} FROM ${from} LIMIT ${this.#limits.mostRows + 1}`
      const fill = `/* ${turn.name} */ INSERT INTO ${tables.rows} ${rows}`
      await this.#engine.everywhere(fill, params, turn.lane, turn.taker)
      return name
    } catch {
      // Whether it was too much or the store does not answer: whoever asks without the table is told.
      this.#drop(name)
      turn.taker.signal?.throwIfAborted()
      return undefined
    }
  }

  /**
   * One thread fills a set, however many there are: meanwhile others answer what needs the rows alone.
   * @returns the name of the table. @throws KeysMissing; the reason of the taker's signal.
   */
  #keepKeys(name: string, turn: HeldTurn): Promise<string> {
    const { rows, keys } = this.#tablesOf(name)
    const fill = async (): Promise<string> => {
      await this.#everywhere(`CREATE TABLE ${keys} (day Date, session UInt64) ENGINE = Set SETTINGS persistent = 0`)
      const sql = `/* ${turn.name} */ INSERT INTO ${keys} SELECT day, session FROM ${rows}`
      await this.#engine.everywhere(sql, {}, turn.lane, turn.taker)
      return keys
    }
    const filled = fill().catch((error: unknown) => {
      turn.taker.signal?.throwIfAborted()
      throw new KeysMissing('The keys of a question are not kept.', { cause: error })
    })
    filled.catch(() => undefined) // told to those who wait; perhaps there is nobody
    return filled
  }

  #tablesOf(name: string): { readonly rows: string; readonly keys: string } {
    return { rows: `${this.#database}.rows_${name}`, keys: `${this.#database}.keys_${name}` }
  }

  #everywhere(sql: string): Promise<void> {
    return this.#engine.everywhere(`/* facts.held */ ${sql}`, {}, 'lookup')
  }

  async #ask<Row>(sql: string): Promise<Row[]> {
    return (await this.#engine.read(`/* facts.held */ ${sql}`, {}, 'lookup')) as Row[]
  }

  #tables(): string {
    const { cluster } = this.#layout
    const tables = cluster ? `clusterAllReplicas('${cluster}', system.tables)` : 'system.tables'
    return `${tables} WHERE database = '${this.#database}'`
  }

  /**
   * 0 when it has more rows than it may. `ofAll`: also what other processes keep. Keys count as what they
   * will take: they are filled meanwhile.
   */
  async #sizeOf(name: string): Promise<{ readonly bytes: number; readonly ofAll: number }> {
    const isOwn = `name = 'rows_${name}'`
    const sql = `SELECT maxIf(total_rows, ${isOwn}) AS rows, sumIf(total_bytes, ${isOwn}) AS bytes, sum(total_bytes) AS of_all FROM ${this.#tables()}`
    const [row] = await this.#ask<{ rows: string; bytes: string; of_all: string }>(sql).catch(() => [])
    if (row === undefined || Number(row.rows) > this.#limits.mostRows) return { bytes: 0, ofAll: 0 }
    const ofKeys = keyBytes(Number(row.rows))
    return { bytes: Math.max(1, Number(row.bytes) + ofKeys), ofAll: Number(row.of_all) + ofKeys }
  }

  #prepare(): Promise<boolean> {
    const nowMs = this.#nowMs()
    if (this.#ready && nowMs - this.#ready.sinceMs < SWEEP_MS) return this.#ready.isReady
    const isReady = this.#prepareNow().catch(() => false)
    this.#ready = { sinceMs: nowMs, isReady }
    return isReady
  }

  async #prepareNow(): Promise<boolean> {
    if (!(await this.#isEveryNodeKnown())) return false
    await this.#everywhere(`CREATE DATABASE IF NOT EXISTS ${this.#database} ENGINE = Memory`)
    await this.#sweep()
    return true
  }

  /** A table must be on every node that is asked for its part. */
  async #isEveryNodeKnown(): Promise<boolean> {
    const { cluster } = this.#layout
    if (!cluster) return true
    const [row] = await this.#ask<{ nodes: string }>(
      `SELECT count() AS nodes FROM system.clusters WHERE cluster = '${cluster}'`,
    )
    return Number(row?.nodes) === this.#limits.nodes
  }

  /** Drops what a process left behind that ended in the middle of a question. */
  async #sweep(): Promise<void> {
    const nowMs = this.#nowMs()
    const rows = await this.#ask<{ name: string }>(`SELECT DISTINCT substring(name, 6) AS name FROM ${this.#tables()}`)
    const others = new Set(rows.map(({ name }) => name).filter((name) => !this.#own.has(name)))
    for (const name of this.#others.keys()) if (!others.has(name)) this.#others.delete(name)
    for (const name of others) {
      const sinceMs = this.#others.get(name) ?? nowMs
      this.#others.set(name, sinceMs)
      if (nowMs - sinceMs >= LOST_MS) this.#drop(name)
    }
  }

  /**
   * Nobody waits for it; what cannot be dropped is a table that was lost.
   * @param filled what still writes to it.
   */
  #drop(name: string, filled: Promise<unknown> = Promise.resolve()): void {
    const { rows, keys } = this.#tablesOf(name)
    const dropNow = (): Promise<void> => this.#everywhere(`DROP TABLE IF EXISTS ${rows}, ${keys}`)
    const drop = filled.then(dropNow, dropNow).then(
      () => void this.#own.delete(name),
      () => void this.#own.delete(name),
    )
    this.#drops.add(drop)
    void drop.then(() => this.#drops.delete(drop))
  }
}
