// A few connections shared by many questions: each runs alone on its connection, the rest wait in order, and not without end.
import { Problem } from '../kernel/problem.ts'

/** Questions that may wait. At the usual 50 ms each, the last one would wait some seconds; more would only time out later. */
const WAITING = 100

export interface Pool<Connection> {
  /** @throws Problem('unavailable') when too many wait already. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Resolves when nothing runs and nothing waits. */
  drain(): Promise<void>
}

export function openPool<Connection>(connections: readonly Connection[]): Pool<Connection> {
  const free = [...connections]
  const waiting: ((connection: Connection) => void)[] = []
  const running = new Set<Promise<unknown>>()

  function claim(): Connection | Promise<Connection> {
    const connection = free.pop()
    if (connection) return connection
    if (waiting.length >= WAITING)
      throw new Problem('unavailable', 'Too many questions are waiting.', { retryAfterSeconds: 2 })
    return new Promise((resolve) => waiting.push(resolve))
  }

  function release(connection: Connection): void {
    const next = waiting.shift()
    if (next) next(connection)
    else free.push(connection)
  }

  async function run<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await claim()
    try {
      return await work(connection)
    } finally {
      release(connection)
    }
  }

  return {
    use: (work) => {
      const task = run(work)
      running.add(task)
      const forget = () => running.delete(task)
      task.then(forget, forget)
      return task
    },
    drain: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
