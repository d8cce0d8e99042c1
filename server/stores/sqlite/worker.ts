// What runs in the threads of the records' SQLite file (lanes.ts): handles on it, statements
// prepared once, and rows handed over in pieces, so that no answer keeps the event loop of the process busy.
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { codesOf, serve } from '../threads/thread-worker.ts'

/** A handle on a file: the same is meant by the same number. */
export interface HandleRef {
  readonly id: number
  readonly file: string
  /** A reader whose statement wrote after all would be refused. */
  readonly isReader: boolean
}

type Row = Record<string, SQLOutputValue>

/** How a transaction begins. */
export type Begin = 'begin immediate'

/** Rows that a statement gave, or some of them: `cursor` stands for the others. */
export interface Rows {
  readonly rows: Row[]
  readonly cursor?: number
}

export interface Changes {
  readonly changes: number | bigint
  readonly lastInsertRowid: number | bigint
}

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Statements that are stored together or not at all. */
export interface Part {
  readonly statements: readonly Statement[]
  /** One that changes nothing is the last that is run; what was done before stays. */
  readonly isGuarded: boolean
}

export type PartOutcome =
  | { readonly answers: readonly (Rows | Changes)[] }
  | { readonly error: unknown; readonly codes: object }

/** Opening waits inside SQLite: another process may just be making the file. */
const OPEN_WAIT_MS = 5_000
/** Statements are few and fixed; those with lists of varying length must not grow the cache without end. */
const MAX_STATEMENTS = 500
/** Of one piece: both keep the event loop busy for a millisecond or two. */
const MAX_ROWS = 500
const MAX_CHARACTERS = 500_000

/**
 * WAL lets a second process (the command line) read and write beside the server. FULL syncs each commit, so
 * that what was acknowledged survives a power cut. secure_delete overwrites deleted rows: an old salt that
 * could be read back would break the promise of the sessions.
 */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma secure_delete = on;
`

/**
 * Once open, nothing waits inside SQLite: the lanes try again instead, and others have their turn in between.
 */
const noWaiting = 'pragma busy_timeout = 0'

const readingAlone = 'pragma query_only = on'

function openDatabase({ file, isReader }: HandleRef): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OPEN_WAIT_MS })
  try {
    database.exec(pragmas)
    database.exec(noWaiting)
    if (isReader) database.exec(readingAlone)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * SQLite knows no booleans; and node:sqlite hands over every number as a fraction, which its full-text index
 * does not take for a row number: `rowid between 1 and 9` would read the whole index.
 */
function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return BigInt(value)
  return (Number.isSafeInteger(value) ? BigInt(value as number) : value) as SQLInputValue
}

const lengthOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

interface Prepared {
  readonly sql: string
  readonly statement: StatementSync
  readonly hasRows: boolean
}

interface Cursor {
  readonly prepared: Prepared
  readonly rows: Iterator<Row>
}

class Handle {
  readonly #database: DatabaseSync
  /** The one used last stands last. One in use is not among them: of its rows nobody else may read. */
  readonly #idle = new Map<string, Prepared>()
  readonly #cursors = new Map<number, Cursor>()
  #lastCursor = 0

  constructor(ref: HandleRef) {
    this.#database = openDatabase(ref)
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  run(sql: string, parameters: readonly unknown[]): Rows | Changes {
    const prepared = this.#take(sql)
    const inputs = parameters.map(toInput)
    if (prepared.hasRows) return this.#read({ prepared, rows: prepared.statement.iterate(...inputs) })
    const { changes, lastInsertRowid } = prepared.statement.run(...inputs)
    this.#giveBack(prepared)
    return { changes, lastInsertRowid }
  }

  more(id: number): Rows {
    const cursor = this.#cursors.get(id)
    if (!cursor) throw new Error('these rows were handed over before')
    this.#cursors.delete(id)
    return this.#read(cursor)
  }

  /** In one piece: no statement is still under way afterwards. */
  runWhole({ sql, parameters }: Statement): Rows | Changes {
    const answer = this.run(sql, parameters)
    if (!('rows' in answer)) return answer
    const { rows } = answer
    for (let { cursor } = answer; cursor !== undefined;) {
      const piece = this.more(cursor)
      rows.push(...piece.rows)
      cursor = piece.cursor
    }
    return { rows }
  }

  close(): void {
    this.#database.close()
  }

  #take(sql: string): Prepared {
    const idle = this.#idle.get(sql)
    if (idle) {
      this.#idle.delete(sql)
      return idle
    }
    const statement = this.#database.prepare(sql)
    return { sql, statement, hasRows: statement.columns().length > 0 }
  }

  #giveBack(prepared: Prepared): void {
    this.#idle.set(prepared.sql, prepared)
    if (this.#idle.size <= MAX_STATEMENTS) return
    for (const oldest of this.#idle.keys()) {
      this.#idle.delete(oldest)
      return
    }
  }

  #read(cursor: Cursor): Rows {
    const rows: Row[] = []
    for (let characters = 0; rows.length < MAX_ROWS && characters < MAX_CHARACTERS;) {
      const { value, done } = cursor.rows.next()
      if (done) {
        this.#giveBack(cursor.prepared)
        return { rows }
      }
      rows.push(value)
      characters += lengthOf(value)
    }
    const id = ++this.#lastCursor
    this.#cursors.set(id, cursor)
    return { rows, cursor: id }
  }
}

/**
 * Takes the write lock at once: a transaction that reads first and writes later would fail when another
 * process wrote in between.
 */
const BEGIN: Begin = 'begin immediate'

const handles = new Map<number, Handle>()

/** A thread that was started again opens anew what was open in the one before. */
function handleOf(ref: HandleRef): Handle {
  const handle = handles.get(ref.id) ?? new Handle(ref)
  handles.set(ref.id, handle)
  return handle
}

/** A handle without a transaction: what was left open must not take others along. */
function idleHandle(ref: HandleRef): Handle {
  const handle = handleOf(ref)
  if (handle.isInTransaction) handle.run('rollback', [])
  return handle
}

/** @throws when SQLite has ended the whole transaction. */
function runPart(handle: Handle, { statements, isGuarded }: Part): PartOutcome {
  handle.run('savepoint part', [])
  try {
    const answers: (Rows | Changes)[] = []
    for (const statement of statements) {
      const answer = handle.runWhole(statement)
      answers.push(answer)
      if (isGuarded && 'changes' in answer && answer.changes === 0) break
    }
    handle.run('release part', [])
    return { answers }
  } catch (error) {
    if (!handle.isInTransaction) throw error
    handle.run('rollback to part', [])
    handle.run('release part', [])
    return { error, codes: codesOf(error) }
  }
}

const work = {
  open: (ref: HandleRef): void => void handleOf(ref),
  run: (ref: HandleRef, sql: string, parameters: readonly unknown[]): Rows | Changes =>
    idleHandle(ref).run(sql, parameters),
  /**
   * @param ahead what has to be done before: to begin it, to set or release a savepoint. When that fails, the
   * statement is not run.
   * @returns undefined when no transaction is open any more: nothing was done then.
   */
  runInTransaction(ref: HandleRef, ahead: readonly string[], sql: string, parameters: readonly unknown[]) {
    const begins = ahead[0] === BEGIN
    const handle = begins ? idleHandle(ref) : handleOf(ref)
    if (!begins && !handle.isInTransaction) return undefined
    for (const statement of ahead) handle.run(statement, [])
    return handle.run(sql, parameters)
  },
  /** One transaction. Whatever fails in a part takes back that part alone. */
  runParts(ref: HandleRef, parts: readonly Part[]): PartOutcome[] {
    const handle = idleHandle(ref)
    handle.run(BEGIN, [])
    try {
      const outcomes = parts.map((part) => runPart(handle, part))
      handle.run('commit', [])
      return outcomes
    } catch (error) {
      if (handle.isInTransaction) handle.run('rollback', [])
      throw error
    }
  },
  more: (ref: HandleRef, cursor: number): Rows => handleOf(ref).more(cursor),
  rollBack: (ref: HandleRef): void => void idleHandle(ref),
  close({ id }: HandleRef): void {
    handles.get(id)?.close()
    handles.delete(id)
  },
}

export type HandleWork = typeof work

serve(work)
