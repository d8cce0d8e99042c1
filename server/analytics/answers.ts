// Answers of the dashboard, kept for as long as nothing was written that could change them. A write that was acknowledged is in the next answer:
// whoever asks names the version of the facts first, and gets what was made of that version or is made now.
import { LRUCache } from 'lru-cache'
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Window } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'

/** All kept answers together, in characters of JSON; an answer has some tens of thousands. */
const KEPT_CHARACTERS = 24 * 1024 * 1024
/** A larger one would push out too many others. */
const LARGEST_CHARACTERS = 1024 * 1024
/** What hangs on an entry besides its answer: key, version, the entry itself. */
const ENTRY_CHARACTERS = 500
/**
 * Answers made at once. Each puts a dozen questions to the facts, which answer two at a time and let a hundred wait: with more, a few
 * people who open their dashboards at one moment would be turned away.
 */
const MADE_AT_ONCE = 4
/** Of answers that wait for their turn. The last one would wait some ten seconds. */
const MOST_WAITING = 200

/** What an answer about a window depends on: of one that is over, the facts of its days and of those before. */
export function versionOf(
  facts: Pick<Facts, 'version'>,
  propertyId: string,
  window: Pick<Window, 'endsNow' | 'toMs'>,
): Promise<string | undefined> {
  return facts.version(propertyId, window.endsNow ? undefined : storedDay(dayOf(window.toMs - 1) + 1))
}

export interface AnswerAsk {
  /** Whose facts these are; part of the key. */
  readonly propertyId: string
  /** Everything else that the answer depends on, but for the facts and the time. */
  readonly key: readonly unknown[]
  /** For how long it is an answer to a question that moves with the time; Infinity for one that does not. */
  readonly maxAgeMs: number
}

export interface Answers {
  /**
   * @param version of the facts, asked for after the question came; undefined: not kept.
   * @param make the answer: plain data, which nobody changes afterwards.
   */
  get<Answer extends object>(
    version: string | undefined,
    ask: AnswerAsk,
    make: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly isCached: boolean }>
}

interface Kept {
  readonly version: string
  readonly madeMs: number
  readonly answer: object
}

interface Making {
  readonly version: string
  readonly answer: Promise<object>
}

/**
 * Work in turns, in the order in which it came, but that what may come later (questions of share links) waits for all others.
 * What is done in a turn must not wait for one of its own.
 */
export function openTurns() {
  const waiting: (() => void)[] = []
  const waitingLater: (() => void)[] = []
  let busy = 0
  return async <Result>(work: () => Promise<Result>, { isLater = false } = {}): Promise<Result> => {
    const queue = isLater ? waitingLater : waiting
    if (queue.length >= MOST_WAITING)
      throw new Problem('unavailable', 'Too many questions are waiting.', { retryAfterSeconds: 5 })
    if (busy >= MADE_AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve))
    else busy++
    try {
      return await work()
    } finally {
      const next = waiting.shift() ?? waitingLater.shift()
      if (next) next()
      else busy--
    }
  }
}

export function openAnswers({ now }: Pick<Deps, 'now'>, keptCharacters = KEPT_CHARACTERS): Answers {
  const kept = new LRUCache<string, Kept>({
    maxSize: keptCharacters,
    maxEntrySize: LARGEST_CHARACTERS,
    sizeCalculation: ({ answer }, key) => ENTRY_CHARACTERS + key.length + JSON.stringify(answer).length,
  })
  /** Equal questions at one moment wait for one answer. */
  const making = new Map<string, Making>()

  const make = async <Answer extends object>(key: string, version: string, work: () => Promise<Answer>) => {
    const madeMs = now()
    const answer = work()
    const own = { version, answer }
    making.set(key, own)
    try {
      const made = await answer
      kept.set(key, { version, madeMs, answer: made })
      return made
    } finally {
      if (making.get(key) === own) making.delete(key)
    }
  }

  return {
    get: async <Answer extends object>(
      version: string | undefined,
      { propertyId, key: rest, maxAgeMs }: AnswerAsk,
      work: () => Promise<Answer>,
    ) => {
      if (version === undefined) return { answer: await work(), isCached: false }
      const key = JSON.stringify([propertyId, ...rest])
      const found = kept.get(key)
      // A clock that was set back must not keep an answer young. What stands under a key was made by the same work.
      if (found?.version === version && Math.abs(now() - found.madeMs) < maxAgeMs)
        return { answer: found.answer as Answer, isCached: true }
      const running = making.get(key)
      if (running?.version === version) return { answer: (await running.answer) as Answer, isCached: true }
      return { answer: await make(key, version, work), isCached: false }
    },
  }
}
