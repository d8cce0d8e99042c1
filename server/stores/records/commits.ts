// Transactions that share a commit. SQLite syncs the disk for each commit, and one writes at a time: a
// hundred callers of one moment would wait for a hundred syncs. Each keeps a part of its own, so that one
// that fails takes nothing of the others along.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { Problem } from '../../kernel/problem.ts'
import type { RecordTables } from '../tables.ts'

type Tx = Transaction<RecordTables>

/** Parts of one commit: each is about a millisecond of work, during which nobody else writes. */
const PARTS_AT_ONCE = 100
/** Those that wait for a commit. The last one waits for about two seconds; more are told to come again. */
const MOST_WAITING = 2_000
const RETRY_SECONDS = 2

interface Part {
  /** Does the work and keeps what came of it. @throws when nobody's part can be committed any more. */
  readonly run: (tx: Tx) => Promise<void>
  /** After the commit: tells what came of it. */
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

/**
 * What fails inside is taken back to where it began. When that fails too, the database has given up the whole
 * transaction.
 */
async function inside<Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Outcome<Result>> {
  await sql`savepoint part`.execute(tx)
  try {
    const result = await work(tx)
    await sql`release part`.execute(tx)
    return { result }
  } catch (error) {
    await sql`rollback to part`.execute(tx).catch(() => {
      throw error
    })
    await sql`release part`.execute(tx)
    return { error }
  }
}

function partOf<Result>(work: (tx: Tx) => Promise<Result>, told: PromiseWithResolvers<Result>): Part {
  let outcome: Outcome<Result> | undefined
  return {
    run: async (tx) => {
      outcome = await inside(tx, work)
    },
    end: () => {
      if (outcome && 'result' in outcome) told.resolve(outcome.result)
      else told.reject(outcome?.error)
    },
    fail: told.reject,
  }
}

export type Commits = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/** @param transact one transaction: committed when it returns. */
export function openCommits(transact: (work: (tx: Tx) => Promise<void>) => Promise<void>): Commits {
  const waiting: Part[] = []
  let isUnderWay = false

  const commit = async (parts: readonly Part[]): Promise<void> => {
    try {
      await transact(async (tx) => {
        for (const part of parts) await part.run(tx)
      })
      for (const part of parts) part.end()
    } catch (error) {
      for (const part of parts) part.fail(error)
    }
  }
  const run = async (): Promise<void> => {
    isUnderWay = true
    // Whoever came in the same moment shares the first commit too.
    await nextTurn()
    while (waiting.length > 0) await commit(waiting.splice(0, PARTS_AT_ONCE))
    isUnderWay = false
  }

  return <Result>(work: (tx: Tx) => Promise<Result>) => {
    if (waiting.length >= MOST_WAITING)
      return Promise.reject(
        new Problem('unavailable', 'Too many changes are waiting.', { retryAfterSeconds: RETRY_SECONDS }),
      )
    const told = Promise.withResolvers<Result>()
    waiting.push(partOf(work, told))
    if (!isUnderWay) void run()
    return told.promise
  }
}
