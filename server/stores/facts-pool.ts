// A few connections shared by many questions: each runs alone on its connection, the rest wait in order, and not without end.
// A connection on which a question failed is never used again: it may still hold rows of an answer that nobody got.
import { Problem } from '../kernel/problem.ts'

/** Questions that may wait. At the usual 50 ms each, the last one would wait some seconds; more would only time out later. */
const WAITING = 100

export interface Pool<Connection> {
  /** @throws Problem('unavailable') when too many wait already. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Waits for what runs and what waits, then closes every connection. */
  close(): Promise<void>
}

export interface PoolOptions<Connection> {
  readonly size: number
  /** How many may wait; WAITING when it is left out. */
  readonly waiting?: number | undefined
  readonly open: () => Promise<Connection>
  readonly close: (connection: Connection) => Promise<void>
}

/** Connections are opened when they are first needed. */
export function openPool<Connection>({
  size,
  waiting: most = WAITING,
  open,
  close,
}: PoolOptions<Connection>): Pool<Connection> {
  const free: Connection[] = []
  const waiting: (() => void)[] = []
  const tasks = new Set<Promise<unknown>>()
  let busy = 0

  async function turn(): Promise<void> {
    if (busy < size) {
      busy++
      return
    }
    if (waiting.length >= most)
      throw new Problem('unavailable', 'Too many questions are waiting.', { retryAfterSeconds: 2 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function endTurn(): void {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }

  async function onConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = free.pop() ?? (await open())
    try {
      const result = await work(connection)
      free.push(connection)
      return result
    } catch (error) {
      await close(connection)
      throw error
    }
  }

  async function run<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    await turn()
    try {
      return await onConnection(work)
    } finally {
      endTurn()
    }
  }

  return {
    use: (work) => {
      const task = run(work)
      tasks.add(task)
      const forget = () => tasks.delete(task)
      task.then(forget, forget)
      return task
    },
    close: async () => {
      while (tasks.size > 0) await Promise.allSettled(tasks)
      for (const connection of free.splice(0)) await close(connection)
    },
  }
}
