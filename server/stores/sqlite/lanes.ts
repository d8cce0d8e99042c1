// Threads that work on one SQLite file: one writes, others read, and the event loop of the process waits for
// none of them. Reads never stand behind a write that waits for another process, which the command line may
// keep waiting for seconds; writes take turns.
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { Problem } from '../../kernel/problem.ts'
import { isScan } from '../records/scans.ts'
import type { Changes, HandleRef, HandleWork, Part, PartOutcome, Rows } from './worker.ts'
import { BUSY, codeOf } from './codes.ts'
import { Thread } from '../threads/thread.ts'

/** A command line beside the server may hold the write lock for a moment; longer than this is a fault. */
const BUSY_WAIT_MS = 5_000
const BUSY_POLL_MS = 10
/**
 * Those that may wait to write. At some milliseconds each, on a slow disk the last one waits for seconds;
 * more would only pile up, and be told of a failure later.
 */
const MOST_WAITING = 1_000
const RETRY_SECONDS = 2

/** A thread takes ten megabytes: those that only read start when they are needed, and end so long after. */
const READER_IDLE_MS = 30_000

const newThread = (idleMs?: number) => new Thread<HandleWork>(new URL('./worker.ts', import.meta.url), idleMs)

/** For all files of a process. */
const threads = { writing: newThread(), reading: newThread(READER_IDLE_MS), scanning: newThread(READER_IDLE_MS) }

/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN. */
const unavailableCodes = new Set([BUSY, 6, 8, 10, 13, 14])

export function explained(error: unknown): unknown {
  return unavailableCodes.has(codeOf(error))
    ? new Problem('unavailable', 'The records cannot be read or written at the moment.', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : error
}

/**
 * From the moment of asking: of many that queue behind each other none waits for longer, and each is tried
 * once.
 */
export const busyDeadline = (): number => performance.now() + BUSY_WAIT_MS

/**
 * A statement refused as busy has done nothing, so it may be put again. Inside a transaction, which holds the
 * lock, none is refused.
 */
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

/** One at a time, in the order of asking. */
class Turns {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  /** @throws Problem('unavailable') when too many wait already. */
  async take(): Promise<() => void> {
    if (this.#waiting >= MOST_WAITING)
      throw new Problem('unavailable', 'Too many changes are waiting.', { retryAfterSeconds: RETRY_SECONDS })
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    this.#waiting++
    await before
    this.#waiting--
    return resolve
  }
}

/** A handle on the file, and the thread in which it is. */
interface Lane {
  readonly thread: Thread<HandleWork>
  readonly ref: HandleRef
}

let lastId = 0

const laneOn = (thread: Lane['thread'], file: string, isReader: boolean): Lane => ({
  thread,
  ref: { id: ++lastId, file, isReader },
})

/**
 * A full or broken disk ends a transaction by itself: what was written in it is gone, and what came now would
 * be written alone.
 */
const endedByItself = () =>
  new Problem('unavailable', 'The records cannot be written at the moment.', {
    cause: new Error('the transaction was rolled back by SQLite'),
    retryAfterSeconds: 5,
  })

/** The lanes of one opening of a file. */
export class Lanes {
  readonly turns = new Turns()
  readonly #writer: Lane
  readonly #idleReader: Lane
  readonly #reader: Lane
  readonly #scanner: Lane
  /** Statements that the writer has not answered yet. */
  #writes = 0
  #isClosed = false

  constructor(file: string) {
    this.#writer = laneOn(threads.writing, file, false)
    this.#idleReader = laneOn(threads.writing, file, true)
    this.#reader = laneOn(threads.reading, file, true)
    this.#scanner = laneOn(threads.scanning, file, true)
  }

  /** The writer first: it makes what the others find. */
  async open(): Promise<void> {
    for (const { thread, ref } of [this.#writer, this.#idleReader]) await thread.ask('open', ref)
  }

  /** A thread that writes nothing at the moment reads as well: a quiet service needs no other. */
  read(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const lane = isScan(query) ? this.#scanner : this.#writes === 0 ? this.#idleReader : this.#reader
    return patiently(() => this.#run(lane, query))
  }

  /** In a turn, outside a transaction; one that was left open is rolled back before. */
  write(query: CompiledQuery, deadline: number): Promise<QueryResult<unknown>> {
    return patiently(() => this.#writing(this.#run(this.#writer, query)), deadline)
  }

  /** In a turn: one transaction, in one message. */
  writeParts(parts: readonly Part[], deadline: number): Promise<readonly PartOutcome[]> {
    const { thread, ref } = this.#writer
    const run = async (): Promise<readonly PartOutcome[]> => {
      this.#refuseClosed()
      return thread.ask('runParts', ref, parts)
    }
    return patiently(() => this.#writing(run()), deadline)
  }

  async #run(lane: Lane, { sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    this.#refuseClosed()
    return allOf(lane, await lane.thread.ask('run', lane.ref, sql, parameters))
  }

  async #writing<T>(work: Promise<T>): Promise<T> {
    this.#writes++
    try {
      return await work
    } finally {
      this.#writes--
    }
  }

  /**
   * @param ahead statements that go along, before this one.
   * @throws Problem('unavailable') when the transaction is over already: nothing is done then.
   */
  writeInTransaction(ahead: readonly string[], query: CompiledQuery, deadline?: number): Promise<QueryResult<unknown>> {
    const { thread, ref } = this.#writer
    const run = async (): Promise<QueryResult<unknown>> => {
      this.#refuseClosed()
      const answer = await thread.ask('runInTransaction', ref, ahead, query.sql, query.parameters)
      if (!answer) throw endedByItself()
      return allOf(this.#writer, answer)
    }
    return patiently(() => this.#writing(run()), deadline)
  }

  async rollBack(): Promise<void> {
    this.#refuseClosed()
    const { thread, ref } = this.#writer
    await this.#writing(thread.ask('rollBack', ref))
  }

  /** The writer last: whatever was asked before is done, and the last handle empties the write-ahead log. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { thread, ref } of [this.#scanner, this.#reader, this.#idleReader, this.#writer])
      if (thread.isStarted) await thread.ask('close', ref)
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new Error('the records are closed')
  }
}

export const resultOf = (answer: Rows | Changes): QueryResult<unknown> =>
  'rows' in answer
    ? { rows: answer.rows }
    : { rows: [], numAffectedRows: BigInt(answer.changes), insertId: BigInt(answer.lastInsertRowid) }

/** Piece by piece: in between, the event loop has its turn. */
async function allOf({ thread, ref }: Lane, answer: Rows | Changes): Promise<QueryResult<unknown>> {
  if (!('rows' in answer)) return resultOf(answer)
  const { rows } = answer
  for (let { cursor } = answer; cursor !== undefined;) {
    const piece = await thread.ask('more', ref, cursor)
    rows.push(...piece.rows)
    cursor = piece.cursor
  }
  return { rows }
}
