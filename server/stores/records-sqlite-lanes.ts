// Threads that work on one SQLite file, under Kysely: one writes, others read, and the event loop of the process waits for none of them.
// Reads never stand behind a write that waits for another process, which the command line may keep waiting for seconds; writes and transactions
// take turns.
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { Problem } from '../kernel/problem.ts'
import { isScan } from './records-scans.ts'
import type { Changes, HandleWork, Opening, Role, Rows } from './records-sqlite-worker.ts'
import { BUSY, codeOf } from './sqlite-codes.ts'
import { Thread } from './thread.ts'

/** A command line beside the server may hold the write lock for a moment; longer than this is a fault. */
const BUSY_WAIT_MS = 5_000
const BUSY_POLL_MS = 10
/**
 * Those that may wait to write. At some milliseconds each, on a slow disk the last one waits for seconds; more would only
 * pile up, and be told of a failure later.
 */
const MOST_WAITING = 1_000
const RETRY_SECONDS = 2

const threadOf = (role: Role) => new Thread<HandleWork>(new URL('./records-sqlite-worker.ts', import.meta.url), role)

/** One of each for all files of a process. The one for scans starts with the first of them. */
const threads = { writer: threadOf('writer'), reader: threadOf('reader'), scanner: threadOf('reader') }
type Lane = keyof typeof threads

/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN. */
const unavailableCodes = new Set([BUSY, 6, 8, 10, 13, 14])

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
async function patiently<T>(work: () => Promise<T>, deadline = busyDeadline()): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== BUSY || performance.now() >= deadline) throw explained(error)
    }
    await pause(BUSY_POLL_MS)
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

let lastOpening = 0

/** One opening of a file: a handle in each thread. */
class Lanes {
  readonly takeTurn = openTurns()
  readonly #opening: Opening
  #isClosed = false

  constructor(file: string) {
    this.#opening = { id: ++lastOpening, file }
  }

  /** The writer first: it makes what the others find. */
  async open(): Promise<void> {
    threads.reader.start()
    await threads.writer.ask('open', this.#opening)
    await threads.reader.ask('open', this.#opening)
  }

  /** Outside a transaction; one that was left open is rolled back before. */
  run(lane: Lane, { sql, parameters }: CompiledQuery, deadline = busyDeadline()): Promise<QueryResult<unknown>> {
    return patiently(async () => {
      this.#refuseClosed()
      return this.#all(lane, await threads[lane].ask('run', this.#opening, sql, parameters))
    }, deadline)
  }

  /** @throws Problem('unavailable') when the transaction is over already: nothing is done then. */
  runInTransaction({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    return patiently(async () => {
      this.#refuseClosed()
      const answer = await threads.writer.ask('runInTransaction', this.#opening, sql, parameters)
      if (!answer) throw endedByItself()
      return this.#all('writer', answer)
    })
  }

  async rollBack(): Promise<void> {
    this.#refuseClosed()
    await threads.writer.ask('rollBack', this.#opening)
  }

  /** The writer last: whatever was asked before is done, and the last handle empties the write-ahead log. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const lane of ['scanner', 'reader', 'writer'] as const)
      if (threads[lane].isStarted) await threads[lane].ask('close', this.#opening)
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new Error('the records are closed')
  }

  async #all(lane: Lane, answer: Rows | Changes): Promise<QueryResult<unknown>> {
    if (!('rows' in answer))
      return { rows: [], numAffectedRows: BigInt(answer.changes), insertId: BigInt(answer.lastInsertRowid) }
    let { rows, cursor } = answer
    while (cursor !== undefined) {
      const piece: Rows = await threads[lane].ask('more', this.#opening, cursor)
      rows.push(...piece.rows)
      cursor = piece.cursor
    }
    return { rows }
  }
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
    if (this.#endTurn) return this.#lanes.runInTransaction(query)
    if (isRead(query)) return this.#lanes.run(isScan(query) ? 'scanner' : 'reader', query)
    const deadline = busyDeadline()
    const endTurn = await this.#lanes.takeTurn()
    try {
      return await this.#lanes.run('writer', query, deadline)
    } finally {
      endTurn()
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** Takes the write lock at once: a transaction that reads first and writes later would fail when another process wrote in between. */
  async begin(): Promise<void> {
    const deadline = busyDeadline()
    const endTurn = await this.#lanes.takeTurn()
    try {
      await this.#lanes.run('writer', CompiledQuery.raw('begin immediate'), deadline)
      this.#endTurn = endTurn
    } catch (error) {
      endTurn()
      throw error
    }
  }

  /** The turn goes on when it fails: Kysely then rolls back. */
  async commit(): Promise<void> {
    await this.#lanes.runInTransaction(CompiledQuery.raw('commit'))
    this.#end()
  }

  /** Never fails: Kysely would throw that instead of what the transaction failed by. What cannot be rolled back now is so before the next one. */
  async rollback(): Promise<void> {
    await this.#lanes.rollBack().catch(() => undefined)
    this.#end()
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

/**
 * @param onClose is called when the driver is closed, before the handles are.
 * @throws Error of SQLite when the file cannot be opened; then nothing stays open.
 */
export async function openLanes(file: string, onClose: () => void): Promise<Driver> {
  const lanes = new Lanes(file)
  await lanes.open().catch(async (error: unknown) => {
    await lanes.close()
    throw error
  })
  return {
    init: async () => undefined,
    acquireConnection: async () => new LaneConnection(lanes),
    releaseConnection: async () => undefined,
    beginTransaction: (connection) => laneOf(connection).begin(),
    commitTransaction: (connection) => laneOf(connection).commit(),
    rollbackTransaction: (connection) => laneOf(connection).rollback(),
    destroy: async () => {
      onClose()
      await lanes.close()
    },
  }
}
