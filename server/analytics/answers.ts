// Answers of the dashboard, cached for as long as nothing was written that could change them. A write that
// was acknowledged is in the next answer: a caller reads the version of the facts first, and gets an answer
// that was made of that version, or is made now.
import { LRUCache } from 'lru-cache'
import { asAsker, currentAsker, nobodyWaits } from '../queues/asker.ts'
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { FairTurns } from '../queues/fair-turns.ts'
import { Problem } from '../kernel/problem.ts'
import type { Window } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'

/** All cached answers together, in characters of JSON; an answer has some tens of thousands. */
const CACHED_CHARACTERS = 24 * 1024 * 1024
/** A larger one would push out too many others. */
const LARGEST_CHARACTERS = 1024 * 1024
/** What hangs on an entry besides its answer: key, version, the entry itself. */
const ENTRY_CHARACTERS = 500
/**
 * Answers made at once, those of one property, and those of one that takes much beside others: each puts a
 * dozen questions to the facts, which answer a few at a time. With more they would all be late together,
 * instead of one after the other.
 */
const MADE_AT_ONCE = 5
const MADE_OF_A_PROPERTY = 4
const MADE_GIVING_WAY = 2
/** Answers that wait for their turn. The last one of a property would wait some ten seconds. */
const MOST_WAITING = { ofACaller: 50, ofAProperty: 200, ofAll: 1000 } as const

/**
 * What an answer about a window depends on: of one that is over, the facts of its days and of those before.
 */
export function versionOf(
  facts: Pick<Facts, 'version'>,
  propertyId: string,
  window: Pick<Window, 'endsNow' | 'toMs'>,
): Promise<string | undefined> {
  return facts.version(propertyId, window.endsNow ? undefined : storedDay(dayOf(window.toMs - 1) + 1))
}

export interface CacheQuery {
  /** Whose facts these are; part of the key. */
  readonly propertyId: string
  /** Everything else that the answer depends on, but for the facts and the time. */
  readonly key: readonly unknown[]
  /** For how long it is an answer to a question that moves with the time; Infinity for one that does not. */
  readonly maxAgeMs: number
}

export interface Answers {
  /**
   * Work that takes much: in turns that are fair to properties and callers. What is done in a turn must not
   * wait for another one.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * @param version of the facts, asked for after the question came; undefined: not cached.
   * @param make the answer: plain data, never changed afterwards.
   */
  get<Answer extends object>(
    version: string | undefined,
    ask: CacheQuery,
    make: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly isCached: boolean }>
}

interface Cached {
  readonly version: string
  readonly madeMs: number
  readonly answer: object
}

/** The work of share links has turns of its own, as its questions have readers of their own. */
function openTurns() {
  const open = () =>
    new FairTurns({
      size: MADE_AT_ONCE,
      ofAProperty: MADE_OF_A_PROPERTY,
      givingWay: MADE_GIVING_WAY,
      mostWaiting: MOST_WAITING,
      tooMany: () => new Problem('unavailable', 'Too many queries are waiting.', { retryAfterSeconds: 5 }),
    })
  const [turns, sharedTurns] = [open(), open()]
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const asker = currentAsker()
    return asker ? (asker.isShared ? sharedTurns : turns).run(asker, work) : work()
  }
}

/** An answer that is being made, and those who wait for it. */
class Making<Answer> {
  readonly version: string
  readonly answer: Promise<Answer>
  readonly #stop = new AbortController()
  #waiting = 0

  /** The work is asked by who asked first, for as long as anybody waits for it. */
  constructor(version: string, work: () => Promise<Answer>) {
    this.version = version
    const asker = currentAsker()
    this.answer = asker ? asAsker({ ...asker, signal: this.#stop.signal }, work) : work()
    this.answer.catch(() => undefined) // told to those who wait; perhaps there is nobody left
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** @throws the reason of the caller's signal, when it is aborted first; what the work throws. */
  async wait(): Promise<Answer> {
    this.#waiting++
    const left = Promise.withResolvers<never>()
    const signal = currentAsker()?.signal
    const leave = (): void => left.reject(signal?.reason as Error)
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([this.answer, left.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#waiting--
      if (this.#waiting === 0) this.#stop.abort(nobodyWaits())
    }
  }
}

export function openAnswers({ now }: Pick<Deps, 'now'>, cachedCharacters = CACHED_CHARACTERS): Answers {
  const cache = new LRUCache<string, Cached>({
    maxSize: cachedCharacters,
    maxEntrySize: LARGEST_CHARACTERS,
    sizeCalculation: ({ answer }, key) => ENTRY_CHARACTERS + key.length + JSON.stringify(answer).length,
  })
  /**
   * Equal questions at one moment wait for one answer; those of share links, which have less time, for one of
   * theirs.
   */
  const making = new Map<string, Making<object>>()

  const make = async (key: string, version: string, work: () => Promise<object>): Promise<object> => {
    const madeMs = now()
    const answer = await work()
    cache.set(key, { version, madeMs, answer })
    return answer
  }

  const begin = (key: string, makingKey: string, version: string, work: () => Promise<object>): Making<object> => {
    const own = new Making(version, () => make(key, version, work))
    making.set(makingKey, own)
    const forget = (): void => {
      if (making.get(makingKey) === own) making.delete(makingKey)
    }
    own.answer.then(forget, forget)
    return own
  }

  return {
    inTurn: openTurns(),
    get: async <Answer extends object>(
      version: string | undefined,
      { propertyId, key: rest, maxAgeMs }: CacheQuery,
      work: () => Promise<Answer>,
    ) => {
      if (version === undefined) return { answer: await work(), isCached: false }
      const key = JSON.stringify([propertyId, ...rest])
      const found = cache.get(key)
      // A clock that was set back must not keep an answer young. What stands under a key was made by the same
      // work.
      if (found?.version === version && Math.abs(now() - found.madeMs) < maxAgeMs)
        return { answer: found.answer as Answer, isCached: true }
      const makingKey = currentAsker()?.isShared ? `shared ${key}` : key
      const running = making.get(makingKey)
      if (running?.version === version && !running.isStopped)
        return { answer: (await running.wait()) as Answer, isCached: true }
      return { answer: (await begin(key, makingKey, version, work).wait()) as Answer, isCached: false }
    },
  }
}
