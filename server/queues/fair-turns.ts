// Turns that many share fairly. Whoever has taken the least time lately is next: first among properties, then among the callers of one.
// Nobody can push others back by asking much, and who does not wait any more has no turn.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Problem } from '../kernel/problem.ts'

export interface TurnAsk {
  readonly propertyId: string
  readonly caller: string
  readonly signal?: AbortSignal | undefined
}

/** How a turn should be used. */
export interface Load {
  /** Its property takes much: whatever others ask while it lasts goes first. */
  readonly takesMuch: boolean
  /** And others ask now whose turns are shorter. */
  readonly givesWay: boolean
}

export interface FairTurnsOptions {
  /** How many are under way at once. */
  readonly size: number
  /** Of one property: fewer than `size`, so that another one never waits for the end of a long turn. */
  readonly ofAProperty: number
  /** Of one that gives way: it takes much, and others ask whose turns are shorter. They find the rest free. */
  readonly givingWay: number
  /**
   * So many times as long as a turn took does a property that gives way leave its place empty after it: work that cannot be held up once it has
   * begun takes no more than a part of the processors that way. Left out: not at all.
   */
  readonly rests?: number
  /** To those who ask there everybody gives way who takes much. */
  readonly beside?: FairTurns
  readonly mostWaiting: { readonly ofACaller: number; readonly ofAProperty: number; readonly ofAll: number }
  readonly tooMany: (whose: 'caller' | 'property' | 'all') => Problem
}

/** What was taken is forgotten by half in this time: long enough to tell who asks without end, short enough to forgive. */
const HALF_LIFE_MS = 10_000
/** Of the time taken lately: more than a few answers about a busy year. Somebody who asks without end has up to 14 s a place. */
const MUCH_MS = 4_000
/** Turns that take so many times as long are dear ones, whatever the machine has to do otherwise. */
const DEARER = 2
/** Less is as good as none. */
const NOTHING_MS = 1
/** Between two questions of one who reads: others do not take the places again in so short a time. */
const OTHERS_MS = 2_000
/** Longer than any turn should take; who took longer still need not wait for longer. */
const MOST_REST_MS = 10_000
/** Whether the others are still there is looked at so often. */
const REST_CHECK_MS = 50
/** Of properties, and of callers of one: from then on those that took nothing lately are forgotten. */
const REMEMBERED = 100

/** What was taken lately: time, and turns. */
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
  /** Those under way. */
  readonly begun = new Set<Turn>()
  waiting = 0
  resting = 0
  askedAtMs = -Infinity

  /** With what those under way have taken so far. */
  ms(nowMs = performance.now()): number {
    let sum = this.taken.ms(nowMs)
    for (const { atMs } of this.begun) sum += nowMs - atMs
    return sum
  }

  takesMuch(): boolean {
    return this.ms() > MUCH_MS
  }

  /** What a turn took lately. */
  meanMs(nowMs: number): number {
    return this.ms(nowMs) / Math.max(1, this.taken.turns(nowMs) + this.begun.size)
  }

  asksAt(nowMs: number): boolean {
    return this.begun.size > 0 || this.waiting > 0 || nowMs - this.askedAtMs < OTHERS_MS
  }
}

/** The one with the least, of equal ones the first. */
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

/** In place of `ones.get(key)` where there may be none yet. */
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
   * @param work is told how its property stands, to give way to others also while it runs.
   * @throws what `tooMany` makes; the reason of the signal when it is aborted before the turn.
   */
  async run<Result>(ask: TurnAsk, work: (load: Load) => Promise<Result>): Promise<Result> {
    ask.signal?.throwIfAborted()
    const group = entryOf(this.#groups, ask.propertyId, () => new Group())
    group.askedAtMs = performance.now()
    const line = entryOf(group.lines, ask.caller, () => new Line())
    // Time alone may have made room for those who wait, and they come first.
    if (group.waiting > 0) this.#startNext()
    const turn = this.#hasPlace(group) ? this.#begin(group) : await this.#wait(group, line, ask.signal)
    try {
      return await work(this.#loadOf(group))
    } finally {
      this.#end(group, line, turn)
    }
  }

  /** Whether anybody asks now, or did a moment ago. */
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
    // Among those who ask alike nobody goes first; and who comes later may well ask less.
    return { takesMuch: givesWay || (group.takesMuch() && !this.#asks(group, Infinity)), givesWay }
  }

  #givesWay(group: Group): boolean {
    if (!group.takesMuch()) return false
    return this.#asks(group, group.meanMs(performance.now()) / DEARER) || this.#options.beside?.asks() === true
  }

  /** Anybody but this one whose turns take less. */
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
