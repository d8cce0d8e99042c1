// Many who ask for the like in one moment are answered by one question: while it is under way, the next ones gather for the one after it.
// So a burst of a hundred deliveries does not stand before those who wait for a page of figures.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../kernel/problem.ts'

/** Asks of one question: some ten milliseconds of work, and a statement of some kilobytes. */
const ASKS_AT_ONCE = 200
/** Asks that may wait: the last ones would be answered after a second or two. More are told to come again. */
const MOST_WAITING = 20_000

interface Asked<Ask, Answer> {
  readonly ask: Ask
  readonly answer: PromiseWithResolvers<Answer | undefined>
}

export interface Gathering<Ask, Answer> {
  /** One question is about one group. */
  readonly groupOf: (ask: Ask) => string
  /** Asks with one key are one ask. */
  readonly keyOf: (ask: Ask) => string
  /** @param asks of one group, at least one. @returns the answers by key. */
  readonly load: (asks: readonly Ask[]) => Promise<ReadonlyMap<string, Answer>>
}

/**
 * @returns what asks. Whatever a question throws, all who waited for it are told.
 * @throws Problem('unavailable') when too many wait already.
 */
export function openGather<Ask, Answer>({ groupOf, keyOf, load }: Gathering<Ask, Answer>) {
  const groups = new Map<string, Map<string, Asked<Ask, Answer>>>()
  let isUnderWay = false
  let waitingAsks = 0

  /** The group that has waited longest; one that is too large waits for the rest behind the others. */
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
    // Whoever was claimed together asks together.
    await nextTurn()
    while (groups.size > 0) await answer(takeSome())
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
      return Promise.reject(new Problem('unavailable', 'Too many look-ups are waiting.', { retryAfterSeconds: 2 }))
    groups.set(group, waiting)
    return wait(waiting, ask)
  }
}

/**
 * One gathering for each source, such as a store, which lives as long as the source does.
 * @returns what asks a source.
 */
export function gatherOf<Source extends object, Ask, Answer>(gatheringOf: (source: Source) => Gathering<Ask, Answer>) {
  const opened = new WeakMap<Source, (ask: Ask) => Promise<Answer | undefined>>()
  return (source: Source, ask: Ask): Promise<Answer | undefined> => {
    const known = opened.get(source) ?? openGather(gatheringOf(source))
    opened.set(source, known)
    return known(ask)
  }
}
