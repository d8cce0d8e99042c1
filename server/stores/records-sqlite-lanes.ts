// Two handles on one SQLite file, under Kysely: one reads, one writes. Reads never stand behind a write that waits for another process,
// which the command line may keep waiting for seconds; writes and transactions take turns.
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { Problem } from '../kernel/problem.ts'

/** A command line beside the server may hold the write lock for a moment; longer than this is a fault. */
const BUSY_WAIT_MS = 5_000
const BUSY_POLL_MS = 10
/**
 * Those that may wait to write. At some milliseconds each, on a slow disk the last one waits for seconds; more would only
 * pile up, and be told of a failure later.
 */
const MOST_WAITING = 1_000
const RETRY_SECONDS = 2
/** Statements are few and fixed; those with lists of varying length must not grow the cache without end. */
const MAX_STATEMENTS = 500

export const BUSY = 5
/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN. */
const unavailableCodes = new Set([BUSY, 6, 8, 10, 13, 14])

/** The primary code is the low byte. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 255 : 0

function explained(error: unknown): unknown {
  return unavailableCodes.has(codeOf(error))
    ? new Problem('unavailable', 'The records cannot be read or written at the moment.', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : error
}

/** From the moment of asking: of many that queue behind each other none waits for longer, and each is tried once. */
const busyDeadline = (): number => performance.now() + BUSY_WAIT_MS

/** A statement refused as busy has done nothing, so it may be put again. Inside a transaction, which holds the lock, none is refused. */
async function patiently<T>(work: () => T, deadline = busyDeadline()): Promise<T> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (codeOf(error) !== BUSY || performance.now() >= deadline) throw explained(error)
    }
    await pause(BUSY_POLL_MS)
  }
}

/**
 * SQLite knows no booleans; and node:sqlite hands over every number as a fraction, which its full-text index does not take for a row number:
 * `rowid between 1 and 9` would read the whole index.
 */
function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return BigInt(value)
  return (Number.isSafeInteger(value) ? BigInt(value as number) : value) as SQLInputValue
}

type Execute = (query: CompiledQuery) => QueryResult<unknown>

/** Statements on one handle, prepared once. */
function openExecute(database: DatabaseSync): Execute {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(sql, statement)
    return statement
  }
  return ({ sql, parameters }) => {
    const statement = prepare(sql)
    const inputs = parameters.map(toInput)
    // node:sqlite gives objects without a prototype; callers compare and spread them like any other.
    if (statement.columns().length > 0) return { rows: statement.all(...inputs).map((row) => ({ ...row })) }
    const { changes, lastInsertRowid } = statement.run(...inputs)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

/** One at a time, in the order of asking. @throws Problem('unavailable') when too many wait already. */
function openTurns(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  return async () => {
    if (waiting >= MOST_WAITING)
      throw new Problem('unavailable', 'Too many changes are waiting.', { retryAfterSeconds: RETRY_SECONDS })
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    waiting++
    await before
    waiting--
    return resolve
  }
}

interface Lanes {
  readonly read: Execute
  readonly write: Execute
  /** Whether a transaction of the writer is open. */
  readonly isOpen: () => boolean
  readonly takeTurn: () => Promise<() => void>
}

/** A select changes nothing, also when it was written by hand; any other statement written by hand may do anything. */
const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*select\b/i.test(sql))

/** A full or broken disk ends a transaction by itself: what was written in it is gone, and what came now would be written alone. */
const endedByItself = () =>
  new Problem('unavailable', 'The records cannot be written at the moment.', {
    cause: new Error('the transaction was rolled back by SQLite'),
    retryAfterSeconds: 5,
  })

/** What Kysely is handed: outside a transaction each statement goes to its lane, inside one all of them to the writer. */
class LaneConnection implements DatabaseConnection {
  readonly #lanes: Lanes
  /** Ends the turn of the transaction under way. */
  #endTurn: (() => void) | undefined

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#execute(query)) as QueryResult<Row>
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { read, write } = this.#lanes
    if (this.#endTurn) return this.#inTransaction(query)
    if (isRead(query)) return patiently(() => read(query))
    const deadline = busyDeadline()
    const endTurn = await this.#lanes.takeTurn()
    try {
      await this.#rollBackOpen()
      return await patiently(() => write(query), deadline)
    } finally {
      endTurn()
    }
  }

  async #inTransaction(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { isOpen, write } = this.#lanes
    if (!isOpen()) throw endedByItself()
    return patiently(() => write(query))
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** Takes the write lock at once: a transaction that reads first and writes later would fail when another process wrote in between. */
  async begin(): Promise<void> {
    const deadline = busyDeadline()
    const endTurn = await this.#lanes.takeTurn()
    try {
      await this.#rollBackOpen()
      await patiently(() => this.#lanes.write(CompiledQuery.raw('begin immediate')), deadline)
      this.#endTurn = endTurn
    } catch (error) {
      endTurn()
      throw error
    }
  }

  /** The turn goes on when it fails: Kysely then rolls back. */
  async commit(): Promise<void> {
    await this.#inTransaction(CompiledQuery.raw('commit'))
    this.#end()
  }

  /** Never fails: Kysely would throw that instead of what the transaction failed by. What cannot be rolled back now is so before the next one. */
  async rollback(): Promise<void> {
    await this.#rollBackOpen().catch(() => undefined)
    this.#end()
  }

  /** What is left open of another transaction must not become part of this one. */
  async #rollBackOpen(): Promise<void> {
    if (this.#lanes.isOpen()) await patiently(() => this.#lanes.write(CompiledQuery.raw('rollback')))
  }

  #end(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}

function laneOf(connection: DatabaseConnection): LaneConnection {
  if (!(connection instanceof LaneConnection)) throw new Error('not a connection of these records')
  return connection
}

/** @param reader and writer handles on one file in WAL mode; closed with the driver, after `onClose`. */
export function openLanes(reader: DatabaseSync, writer: DatabaseSync, onClose: () => void): Driver {
  const lanes = {
    read: openExecute(reader),
    write: openExecute(writer),
    isOpen: () => writer.isTransaction,
    takeTurn: openTurns(),
  }
  return {
    init: async () => undefined,
    acquireConnection: async () => new LaneConnection(lanes),
    releaseConnection: async () => undefined,
    beginTransaction: (connection) => laneOf(connection).begin(),
    commitTransaction: (connection) => laneOf(connection).commit(),
    rollbackTransaction: (connection) => laneOf(connection).rollback(),
    destroy: async () => {
      onClose()
      reader.close()
      writer.close()
    },
  }
}
