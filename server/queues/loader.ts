// Combines look-ups by text: those that arrive while a statement runs go into the next one. A flood of
// look-ups costs the database one statement at a time.
import { Problem } from '../kernel/problem.ts'
import { openPace } from './pace.ts'

/**
 * Large enough that thousands of waiting look-ups are a few statements; below the parameter limits of both
 * databases.
 */
const BATCH = 500
/** Waiting look-ups beyond this are refused: they would be answered too late anyway. */
const MAX_WAITING = 20_000

export interface LoaderOptions<Row> {
  /** The rows of those texts that exist. */
  readonly load: (texts: readonly string[]) => Promise<ReadonlyMap<string, Row>>
  /** Called before a batch is queried. Its result is passed to the two below. */
  readonly begin: () => number
  readonly loaded: (text: string, row: Row | undefined, begun: number) => void
  /** The answer in place of an error, when there is one. */
  readonly failed: (text: string) => { readonly row: Row | undefined } | undefined
  /** While some wait: so long from one batch to the next. Whoever comes alone is answered at once. */
  readonly paceMs?: number
}

export interface Loader<Row> {
  /** @throws Problem('unavailable') or what the database threw. */
  ask(text: string): Promise<Row | undefined>
  /** Later look-ups do not share a query that is already running. */
  restart(): void
}

interface Waiter<Row> {
  readonly promise: Promise<Row | undefined>
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

type Waiters<Row> = Map<string, Waiter<Row>>

function takeFrom<Row>(waiting: Waiters<Row>): Waiters<Row> {
  const batch: Waiters<Row> = new Map()
  for (const [text, waiter] of waiting) {
    if (batch.size === BATCH) break
    waiting.delete(text)
    batch.set(text, waiter)
  }
  return batch
}

function refuse<Row>(options: LoaderOptions<Row>, batch: Waiters<Row>, error: unknown): void {
  for (const [text, waiter] of batch) {
    batch.delete(text)
    const instead = options.failed(text)
    if (instead) waiter.resolve(instead.row)
    else waiter.reject(error)
  }
}

async function answer<Row>(options: LoaderOptions<Row>, batch: Waiters<Row>): Promise<void> {
  const begun = options.begin()
  try {
    const rows = await options.load([...batch.keys()])
    for (const [text, waiter] of batch) {
      // Deleted before it is resolved: a caller that asks again in the same tick must start a new query.
      batch.delete(text)
      const row = rows.get(text)
      options.loaded(text, row, begun)
      waiter.resolve(row)
    }
  } catch (error) {
    refuse(options, batch, error)
  }
}

function newWaiter<Row>(): Waiter<Row> {
  const waiter = Promise.withResolvers<Row | undefined>()
  // A background refresh has no caller for its error; callers that wait still get it.
  waiter.promise.catch(() => undefined)
  return waiter
}

export function openLoader<Row>(options: LoaderOptions<Row>): Loader<Row> {
  const waiting: Waiters<Row> = new Map()
  let asking: Waiters<Row> = new Map()
  let running = false

  async function run(): Promise<void> {
    running = true
    const pace = openPace(options.paceMs ?? 0)
    while (waiting.size > 0) {
      const pause = pace()
      if (pause) await pause
      asking = takeFrom(waiting)
      await answer(options, asking)
    }
    running = false
  }

  return {
    ask(text) {
      const known = waiting.get(text) ?? asking.get(text)
      if (known) return known.promise
      if (waiting.size >= MAX_WAITING)
        return Promise.reject(new Problem('unavailable', 'Too many lookups are waiting.', { retryAfterSeconds: 1 }))
      const waiter = newWaiter<Row>()
      waiting.set(text, waiter)
      if (!running) void run()
      return waiter.promise
    },
    restart() {
      asking = new Map()
    },
  }
}
