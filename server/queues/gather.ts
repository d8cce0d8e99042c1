// Combines similar look-ups: while one query runs, further look-ups collect for the next. So a burst of a
// hundred deliveries does not delay the queries of people who wait for a page.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../kernel/problem.ts'
import { openPace } from './pace.ts'

/** Look-ups per query: some ten milliseconds of work, and a statement of some kilobytes. */
const ASKS_AT_ONCE = 200
/** Look-ups that may wait: the last ones are answered after a second or two. Further ones are refused. */
const MOST_WAITING = 20_000

interface Asked<Ask, Answer> {
  readonly ask: Ask
  readonly answer: PromiseWithResolvers<Answer | undefined>
}

export interface Gathering<Ask, Answer> {
  /** One query is about one group. */
  readonly groupOf: (ask: Ask) => string
  /** Look-ups with the same key are one look-up. */
  readonly keyOf: (ask: Ask) => string
  /** @param asks of one group, at least one. @returns the answers by key. */
  readonly load: (asks: readonly Ask[]) => Promise<ReadonlyMap<string, Answer>>
  /** While some wait: so long from one query to the next. Whoever comes alone is answered at once. */
  readonly paceMs?: number
}

/**
 * @returns the function that looks up. An error of a query rejects all look-ups in it.
 * @throws Problem('unavailable') when too many wait already.
 */
export function openGather<Ask, Answer>({ groupOf, keyOf, load, paceMs = 0 }: Gathering<Ask, Answer>) {
  const groups = new Map<string, Map<string, Asked<Ask, Answer>>>()
  let isUnderWay = false
  let waitingAsks = 0

  /** The group that has waited longest; the rest of a large group queues behind the others. */
  const takeSome = (): [string, Asked<Ask, Answer>][] => {
    for (const [name, waiting] of groups) {
      groups.delete(name)
      const all = [...waiting]
      if (all.length > ASKS_AT_ONCE) groups.set(name, new Map(all.slice(ASKS_AT_ONCE)))
      const taken = all.slice(0, ASKS_AT_ONCE)
      waitingAsks -= taken.length
      return taken
    }
    return []
  }
  const answer = async (taken: readonly [string, Asked<Ask, Answer>][]): Promise<void> => {
    try {
      const found = await load(taken.map(([, { ask }]) => ask))
      for (const [key, asked] of taken) asked.answer.resolve(found.get(key))
    } catch (error) {
      for (const [, asked] of taken) asked.answer.reject(error)
    }
  }
  const run = async (): Promise<void> => {
    isUnderWay = true
    // Deferred by a turn of the event loop, so that deliveries claimed together are looked up together.
    await nextTurn()
    const pace = openPace(paceMs)
    while (groups.size > 0) {
      const pause = pace()
      if (pause) await pause
      await answer(takeSome())
    }
    isUnderWay = false
  }

  const wait = (waiting: Map<string, Asked<Ask, Answer>>, ask: Ask): Promise<Answer | undefined> => {
    const asked = { ask, answer: Promise.withResolvers<Answer | undefined>() }
    waiting.set(keyOf(ask), asked)
    waitingAsks++
    if (!isUnderWay) void run()
    return asked.answer.promise
  }

  return (ask: Ask): Promise<Answer | undefined> => {
    const group = groupOf(ask)
    const waiting = groups.get(group) ?? new Map<string, Asked<Ask, Answer>>()
    const known = waiting.get(keyOf(ask))
    if (known) return known.answer.promise
    if (waitingAsks >= MOST_WAITING)
      return Promise.reject(new Problem('unavailable', 'Too many lookups are waiting.', { retryAfterSeconds: 2 }))
    groups.set(group, waiting)
    return wait(waiting, ask)
  }
}

/**
 * One collector per source, such as a store, with the source's lifetime.
 * @returns the function that looks up in a source.
 */
export function gatherOf<Source extends object, Ask, Answer>(gatheringOf: (source: Source) => Gathering<Ask, Answer>) {
  const opened = new WeakMap<Source, (ask: Ask) => Promise<Answer | undefined>>()
  return (source: Source, ask: Ask): Promise<Answer | undefined> => {
    const known = opened.get(source) ?? openGather(gatheringOf(source))
    opened.set(source, known)
    return known(ask)
  }
}
