// A queue that many share fairly. The next turn goes to the one that used the least time lately: first among
// properties, then among the callers of one property. Many requests do not help, and callers that hang up
// lose their turn.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Problem } from '../kernel/problem.ts'

/** Whose turn it is going to be. */
export interface TurnTaker {
  readonly propertyId: string
  readonly caller: string
  readonly signal?: AbortSignal | undefined
}

/** How a turn should be run. */
export interface Load {
  /** Its property uses much: requests of others during the turn have priority. */
  readonly takesMuch: boolean
  /** And others with shorter turns are waiting now. */
  readonly givesWay: boolean
}

export interface FairTurnsOptions {
  /** How many turns may run at once. */
  readonly size: number
  /**
   * How many of one property: fewer than `size`, so that other properties never wait for the end of a long
   * turn.
   */
  readonly ofAProperty: number
  /**
   * How many of a property that gives way: it uses much, and others with shorter turns wait. They find the
   * rest free.
   */
  readonly givingWay: number
  /**
   * After a turn, a property that gives way leaves its slot empty for so many times the turn's length. That
   * limits the share of the processors that work which cannot be interrupted may take. Left out: not at all.
   */
  readonly rests?: number
  /** All properties that use much give way to these callers. */
  readonly beside?: FairTurns
  readonly mostWaiting: { readonly ofACaller: number; readonly ofAProperty: number; readonly ofAll: number }
  readonly tooMany: (whose: 'caller' | 'property' | 'all') => Problem
}

/** The half-life of used time: long enough to recognise endless requests, short enough to forgive. */
const HALF_LIFE_MS = 10_000
/**
 * A limit of the remembered time: more than a few queries of a busy year take. Endless requests add up to 14
 * s per slot.
 */
const MUCH_MS = 4_000
/** Turns that take so many times as long count as expensive, however busy the machine is. */
const DEARER = 2
/** Less counts as nothing. */
const NOTHING_MS = 1
/** The pause between two requests of one reader: others do not take the slots in so short a time. */
const OTHERS_MS = 2_000
/** Longer than any turn should take; a longer one does not make its caller wait longer. */
const MOST_REST_MS = 10_000
/** How often it is checked whether the others still wait. */
const REST_CHECK_MS = 50
/** Of properties, and of callers of one: above it, those that used nothing lately are forgotten. */
const REMEMBERED = 100

/** What was used lately: time, and turns. */
class Taken {
  #ms = 0
  #turns = 0
  #atMs = performance.now()

  ms(nowMs = performance.now()): number {
    return this.#ms * this.#left(nowMs)
  }

  turns(nowMs = performance.now()): number {
    return this.#turns * this.#left(nowMs)
  }

  add(ms: number): void {
    const nowMs = performance.now()
    this.#ms = this.ms(nowMs) + ms
    this.#turns = this.turns(nowMs) + 1
    this.#atMs = nowMs
  }

  #left(nowMs: number): number {
    return 0.5 ** ((nowMs - this.#atMs) / HALF_LIFE_MS)
  }
}

interface Turn {
  readonly atMs: number
}

class Line {
  readonly taken = new Taken()
  readonly waiting: (() => void)[] = []
}

class Group {
  readonly taken = new Taken()
  readonly lines = new Map<string, Line>()
  /** The turns that are running. */
  readonly begun = new Set<Turn>()
  waiting = 0
  resting = 0
  askedAtMs = -Infinity

  /** Including what the running turns have used so far. */
  ms(nowMs = performance.now()): number {
    let sum = this.taken.ms(nowMs)
    for (const { atMs } of this.begun) sum += nowMs - atMs
    return sum
  }

  takesMuch(): boolean {
    return this.ms() > MUCH_MS
  }

  /** The average length of a recent turn. */
  meanMs(nowMs: number): number {
    return this.ms(nowMs) / Math.max(1, this.taken.turns(nowMs) + this.begun.size)
  }

  asksAt(nowMs: number): boolean {
    return this.begun.size > 0 || this.waiting > 0 || nowMs - this.askedAtMs < OTHERS_MS
  }
}

/** The one with the least, the first of equal ones. */
function leastOf<One>(ones: Iterable<One>, msOf: (one: One) => number): One | undefined {
  let least: { readonly one: One; readonly ms: number } | undefined
  for (const one of ones) {
    const ms = msOf(one)
    if (!least || ms < least.ms) least = { one, ms }
  }
  return least?.one
}

function forgetIdle<One extends { readonly taken: Taken }>(ones: Map<string, One>, isIdle: (one: One) => boolean) {
  if (ones.size <= REMEMBERED) return
  for (const [key, one] of ones) if (isIdle(one) && one.taken.ms() < NOTHING_MS) ones.delete(key)
}

/** Like `ones.get(key)`, creating a missing entry. */
function entryOf<One>(ones: Map<string, One>, key: string, create: () => One): One {
  const known = ones.get(key)
  if (known) return known
  const created = create()
  ones.set(key, created)
  return created
}

export class FairTurns {
  readonly #options: FairTurnsOptions
  readonly #groups = new Map<string, Group>()
  #busy = 0
  #waiting = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /**
   * @param work receives the state of its property, so that it can give way even while it runs.
   * @throws what `tooMany` returns; the reason of the signal when it is aborted before the turn.
   */
  async run<Result>(taker: TurnTaker, work: (load: Load) => Promise<Result>): Promise<Result> {
    taker.signal?.throwIfAborted()
    const group = entryOf(this.#groups, taker.propertyId, () => new Group())
    group.askedAtMs = performance.now()
    const line = entryOf(group.lines, taker.caller, () => new Line())
    // Time alone may have made room for those who wait, and they come first.
    if (group.waiting > 0) this.#startNext()
    const turn = this.#hasPlace(group) ? this.#begin(group) : await this.#wait(group, line, taker.signal)
    try {
      return await work(this.#loadOf(group))
    } finally {
      this.#end(group, line, turn)
    }
  }

  /** Whether anybody waits now, or did a moment ago. */
  asks(): boolean {
    return this.#asks(undefined, Infinity)
  }

  #hasPlace(group: Group): boolean {
    return this.#busy < this.#options.size && group.begun.size + group.resting < this.#placesOf(group)
  }

  #placesOf(group: Group): number {
    return this.#givesWay(group) ? this.#options.givingWay : this.#options.ofAProperty
  }

  #loadOf(group: Group): Load {
    const givesWay = this.#givesWay(group)
    // Among equals nobody has priority, and a later caller may well need less.
    return { takesMuch: givesWay || (group.takesMuch() && !this.#asks(group, Infinity)), givesWay }
  }

  #givesWay(group: Group): boolean {
    if (!group.takesMuch()) return false
    return this.#asks(group, group.meanMs(performance.now()) / DEARER) || this.#options.beside?.asks() === true
  }

  /** Others whose turns take less. */
  #asks(except: Group | undefined, lessThanMs: number): boolean {
    const nowMs = performance.now()
    return this.#groups
      .values()
      .some((group) => group !== except && group.asksAt(nowMs) && group.meanMs(nowMs) < lessThanMs)
  }

  async #rest(group: Group, tookMs: number): Promise<void> {
    const endMs = performance.now() + Math.min(tookMs * (this.#options.rests ?? 0), MOST_REST_MS)
    group.resting++
    while (performance.now() < endMs && this.#givesWay(group)) await sleep(REST_CHECK_MS)
    group.resting--
    this.#startNext()
  }

  #begin(group: Group): Turn {
    const turn = { atMs: performance.now() }
    group.begun.add(turn)
    this.#busy++
    return turn
  }

  #end(group: Group, line: Line, turn: Turn): void {
    const ms = performance.now() - turn.atMs
    group.begun.delete(turn)
    group.taken.add(ms)
    line.taken.add(ms)
    this.#busy--
    if (this.#options.rests !== undefined && this.#givesWay(group)) void this.#rest(group, ms)
    this.#startNext()
    forgetIdle(group.lines, ({ waiting }) => waiting.length === 0)
    forgetIdle(this.#groups, ({ begun, resting, waiting }) => begun.size + resting + waiting === 0)
  }

  #checkRoom(group: Group, line: Line): void {
    const { mostWaiting, tooMany } = this.#options
    if (line.waiting.length >= mostWaiting.ofACaller) throw tooMany('caller')
    if (group.waiting >= mostWaiting.ofAProperty) throw tooMany('property')
    if (this.#waiting >= mostWaiting.ofAll) throw tooMany('all')
  }

  #wait(group: Group, line: Line, signal: AbortSignal | undefined): Promise<Turn> {
    this.#checkRoom(group, line)
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.waiting.splice(line.waiting.indexOf(start), 1)
        this.#countWaiting(group, -1)
        reject(signal?.reason as Error)
      }
      const start = (): void => {
        signal?.removeEventListener('abort', leave)
        this.#countWaiting(group, -1)
        resolve(this.#begin(group))
      }
      line.waiting.push(start)
      this.#countWaiting(group, 1)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #countWaiting(group: Group, by: number): void {
    group.waiting += by
    this.#waiting += by
  }

  #startNext(): void {
    while (this.#busy < this.#options.size) {
      const nowMs = performance.now()
      const mayGo = this.#groups.values().filter((one) => one.waiting > 0 && this.#hasPlace(one))
      const group = leastOf(mayGo, (one) => one.ms(nowMs))
      const waiting = group?.lines.values().filter((line) => line.waiting.length > 0)
      const line = waiting && leastOf(waiting, ({ taken }) => taken.ms(nowMs))
      const start = line?.waiting.shift()
      if (!start) return
      start()
    }
  }
}
