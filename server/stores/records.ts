// The records store: SQLite in DATA_DIR or PostgreSQL by DATABASE_URL, one schema and one set of queries.
// A transaction that has committed survives a power cut.
import { type CompiledQuery, type Kysely, type QueryResult, sql, type Transaction } from 'kysely'
import type { WriteGate } from './gate.ts'
import { type Commits, openCommits } from './records/commits.ts'
import { lockBySqlite, openSqlite, type ReleaseLock } from './sqlite/sqlite.ts'
import type { WriteParts } from './sqlite/parts.ts'
import type { RecordTables } from './tables.ts'

export type Records = Kysely<RecordTables>

/**
 * A handle that is inside a transaction: a function that needs one asks for a Tx. Inside the callback of
 * `records.transaction()` use the Tx alone: with SQLite one writes at a time, and a write of `records` would
 * wait for it forever.
 */
export type Tx = Transaction<RecordTables>

/** A statement of any kind: written by hand, put together by Kysely, or ready (built-once.ts). */
type Statement = CompiledQuery | { compile(records: Records): CompiledQuery }

const compiledOf = (records: Records, statement: Statement): CompiledQuery =>
  'compile' in statement ? statement.compile(records) : statement

export interface RecordsOptions {
  /** postgres://…, or null for the SQLite file. */
  readonly databaseUrl: string | null
  readonly dataDir: string
}

interface Backend {
  readonly kind: 'sqlite' | 'postgres'
  /** Undefined while another process holds the lock. The lock is gone when its holder dies. */
  readonly tryLock: () => Promise<ReleaseLock | undefined>
  readonly scrub: () => Promise<void>
  readonly commits: Commits
  readonly write: WriteParts
}

/** Kept by the adapter, which the transactions on a database share with it. */
const backends = new WeakMap<object, Backend>()
const keyOf = (records: Records | Tx): object => records.getExecutor().adapter

function backendOf(records: Records | Tx): Backend {
  const backend = backends.get(keyOf(records))
  if (!backend) throw new Error('these records were not opened by openRecords')
  return backend
}

/**
 * @param gate that every write goes through.
 * @throws Error in plain words, without address or password, when the database cannot be opened.
 */
export async function openRecords({ databaseUrl, dataDir }: RecordsOptions, gate?: WriteGate): Promise<Records> {
  return databaseUrl === null ? openFile(dataDir, gate) : openServer(databaseUrl, gate)
}

async function openFile(dataDir: string, gate?: WriteGate): Promise<Records> {
  const { records, file, scrub, write } = await openSqlite(dataDir, gate)
  const commits = openCommits((work) => records.transaction().execute(work))
  backends.set(keyOf(records), { kind: 'sqlite', tryLock: () => lockBySqlite(file), scrub, commits, write })
  // Whoever had them open before may have been killed between a deletion and its scrub. One that fails is
  // tried again.
  await scrub().catch(() => undefined)
  return records
}

async function openServer(databaseUrl: string, gate?: WriteGate): Promise<Records> {
  // Its driver is loaded by those who use it: most starts and commands are on the file.
  const { lockByPostgres, openPostgres } = await import('./records/postgres.ts')
  const records = await openPostgres(databaseUrl, gate)
  backends.set(keyOf(records), {
    kind: 'postgres',
    tryLock: () => lockByPostgres(records),
    scrub: async () => undefined,
    // It writes for many at once and shares its syncs by itself.
    commits: (work) => records.transaction().execute(work),
    write: (statements, isGuarded) =>
      statements.length === 1
        ? records.executeQuery(statements[0]!).then((result) => [result])
        : records.transaction().execute((tx) => runEach(tx, statements, isGuarded)),
  })
  return records
}

/**
 * A short transaction of a call that comes often: with SQLite it may share its commit with those of the same
 * moment. Committed when it returns; what it throws takes nothing of the others along.
 * @throws Problem('unavailable') when too many wait: then nothing was done.
 */
export function sharingCommit<Result>(records: Records, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return backendOf(records).commits(work)
}

async function runEach(
  tx: Tx,
  statements: readonly CompiledQuery[],
  isGuarded: boolean,
): Promise<QueryResult<unknown>[]> {
  const results: QueryResult<unknown>[] = []
  for (const statement of statements) {
    const result = await tx.executeQuery(statement)
    results.push(result)
    if (isGuarded && result.numAffectedRows === 0n) break
  }
  return results
}

/**
 * A short transaction of a call that comes often, whose statements need nothing of each other's answers: with
 * SQLite those of one moment are one message to its thread and share a commit, where each step of any other
 * transaction is a message.
 * @returns what each has answered, which is to be few rows.
 * @throws Problem('unavailable') when too many wait: then nothing was done.
 */
export async function writeAll(
  records: Records,
  statements: readonly Statement[],
): Promise<readonly QueryResult<unknown>[]> {
  return backendOf(records).write(
    statements.map((statement) => compiledOf(records, statement)),
    false,
  )
}

/**
 * The same, as long as each changes something: one that does not is the last that is run.
 * @returns whether all were run.
 */
export async function writeWhile(records: Records, statements: readonly Statement[]): Promise<boolean> {
  const compiled = statements.map((statement) => compiledOf(records, statement))
  const results = await backendOf(records).write(compiled, true)
  return results.length === compiled.length && results.at(-1)?.numAffectedRows !== 0n
}

export function recordsKind(records: Records | Tx): 'sqlite' | 'postgres' {
  return backendOf(records).kind
}

/**
 * Transactions that wait for the same name have it one after the other, each until it ends. SQLite's take
 * turns anyway.
 */
export async function waitForTurn(tx: Records | Tx, name: string): Promise<void> {
  if (recordsKind(tx) === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/**
 * Makes what was deleted unreadable in the files too (SQLite: the write-ahead log still holds it): at once,
 * or, while another process reads, as soon as it does not. PostgreSQL leaves that to its vacuum.
 */
export async function scrubDeleted(records: Records): Promise<void> {
  await backendOf(records).scrub()
}

function errorCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  return 'errcode' in error ? error.errcode : 'code' in error ? error.code : undefined
}

/** SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY; PostgreSQL unique_violation. */
const uniqueCodes: ReadonlySet<unknown> = new Set([2067, 1555, '23505'])

/** SQLITE_CONSTRAINT_FOREIGNKEY; PostgreSQL foreign_key_violation. */
const foreignKeyCodes: ReadonlySet<unknown> = new Set([787, '23503'])

/** True when a row with the same unique value is there already: constraints decide races. */
export function isUniqueViolation(error: unknown): boolean {
  return uniqueCodes.has(errorCode(error))
}

/** True when the row that a new row belongs to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return foreignKeyCodes.has(errorCode(error))
}

const LOCK_POLL_MS = 50
/** Longer than any sensible migration; a node stuck for longer is better named than waited for. */
const LOCK_WAIT_MS = 600_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function takeLock(backend: Backend): Promise<ReleaseLock> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += LOCK_POLL_MS) {
    const release = await backend.tryLock()
    if (release) return release
    await pause(LOCK_POLL_MS)
  }
  throw new Error('another process has been migrating the stores for ten minutes: look at that one first')
}

/**
 * Runs `work` while no other process on the same records does. For migrations of both stores: nodes that
 * start together take turns, and the later ones find nothing left to do. Not reentrant.
 */
export async function withMigrationLock<T>(records: Records, work: () => Promise<T>): Promise<T> {
  const release = await takeLock(backendOf(records))
  try {
    return await work()
  } finally {
    await release()
  }
}
