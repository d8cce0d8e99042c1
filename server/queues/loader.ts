// Look-ups by text, gathered: what is asked while a statement runs goes into the next one. A flood of look-ups, made up or not,
// is one statement at a time for the database.
import { Problem } from '../kernel/problem.ts'

/** Large enough that thousands of waiting look-ups are a few statements; below the parameter limits of both databases. */
const BATCH = 500
/** Waiting look-ups beyond this are refused: they would be answered too late anyway. */
const MAX_WAITING = 20_000

export interface LoaderOptions<Row> {
  /** The rows of those texts that exist. */
  readonly load: (texts: readonly string[]) => Promise<ReadonlyMap<string, Row>>
  /** Before a batch is asked. The result is handed to the two below. */
  readonly begin: () => number
  readonly loaded: (text: string, row: Row | undefined, begun: number) => void
  /** What is answered instead of an error, when there is something. */
  readonly failed: (text: string) => { readonly row: Row | undefined } | undefined
}

export interface Loader<Row> {
  /** @throws Problem('unavailable') or what the database threw. */
  ask(text: string): Promise<Row | undefined>
  /** Who asks from now on is not given an answer that is being read already. */
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
      // Answered is no longer asked: who comes next, even in this turn, puts a question of their own if they need one.
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
  // A refresh in the background has no one to tell of a failure; whoever waits hears of it all the same.
  waiter.promise.catch(() => undefined)
  return waiter
}

export function openLoader<Row>(options: LoaderOptions<Row>): Loader<Row> {
  const waiting: Waiters<Row> = new Map()
  let asking: Waiters<Row> = new Map()
  let running = false

  async function run(): Promise<void> {
    running = true
    while (waiting.size > 0) {
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
        return Promise.reject(new Problem('unavailable', 'Too many look-ups are waiting.', { retryAfterSeconds: 1 }))
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
