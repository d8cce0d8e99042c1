// A few connections shared by many questions: each runs alone on its connection, and the rest wait for fair turns, not without end.
// A connection on which a question failed is never used again: it may still hold rows of an answer that nobody got.
import { FairTurns, type FairTurnsOptions, type TurnAsk } from '../kernel/fair-turns.ts'
import { Problem } from '../kernel/problem.ts'

/**
 * Questions that may wait. An overview puts a dozen, so that a caller may open eight at once; what would wait longer than its
 * caller does is refused.
 */
const WAITING = { ofACaller: 100, ofAProperty: 400, ofAll: 2000 } as const

/** Turns of questions: of those who ask too much only they are told so. */
export function questionTurns(places: Pick<FairTurnsOptions, 'size' | 'ofAProperty'>, waiting?: number): FairTurns {
  const all = { ofACaller: waiting, ofAProperty: waiting, ofAll: waiting }
  return new FairTurns({
    ...places,
    mostWaiting: waiting === undefined ? WAITING : (all as FairTurnsOptions['mostWaiting']),
    tooMany: (whose) =>
      whose === 'caller'
        ? new Problem('rate_limited', 'Too many of your questions are waiting.', { retryAfterSeconds: 2 })
        : new Problem('unavailable', 'Too many questions are waiting.', { retryAfterSeconds: 2 }),
  })
}

export interface Pool<Connection> {
  /**
   * @param work is told whether the property of the asker takes much: then it may give way to others.
   * @throws Problem('rate_limited') when too many of the caller wait already, 'unavailable' when too many of all do; the reason of the signal.
   */
  use<Result>(ask: TurnAsk, work: (connection: Connection, takesMuch: boolean) => Promise<Result>): Promise<Result>
  /** Waits for what runs and what waits, then closes every connection. */
  close(): Promise<void>
}

export interface PoolOptions<Connection> {
  readonly turns: FairTurns
  readonly open: () => Promise<Connection>
  readonly close: (connection: Connection) => Promise<void>
}

/** Connections are opened when they are first needed. */
export function openPool<Connection>({ turns, open, close }: PoolOptions<Connection>): Pool<Connection> {
  const free: Connection[] = []
  const tasks = new Set<Promise<unknown>>()

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

  return {
    use: (ask, work) => {
      const task = turns.run(ask, (takesMuch) => onConnection((connection) => work(connection, takesMuch)))
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
