// What processes that share an embedded store tell each other of what they have changed, so that each knows
// which of its kept answers still hold, which days are settled and which properties have marks, as if it were
// alone. Nobody is told before they ask: a process that has something says so (Beside), and a question asks
// those before it relies on what its own process knows.
import { settledWithin } from '../../queues/deadline.ts'
import type { NewsLine } from '../beside.ts'
import type { DatedRow } from './versions.ts'

/** What is told of a row. */
export interface ToldRow extends DatedRow {
  /** Of the table of marks. */
  readonly mark?: number
}

export interface News {
  /** Anything may have changed. */
  readonly all: boolean
  /** Other days are settled. */
  readonly settled: boolean
  readonly rows: readonly ToldRow[]
}

/** Above it everything may have changed: nobody asks there, or somebody writes to thousands of days. */
const MOST_ROWS = 5_000

/** Like a question that waits for the inserts of others. */
const ANSWER_MS = 10_000

interface Noted {
  readonly row: ToldRow
  readonly at: number
}

/** Rows that change the same are one. */
function toldOf({ property = '', day = '', session_day, session, mark }: ToldRow): ToldRow {
  const hasSession = session !== undefined && session !== '0'
  const base = { property, day, session: hasSession ? '1' : '0' }
  return { ...base, ...(session_day !== undefined && { session_day }), ...(mark !== undefined && { mark: mark % 2 }) }
}

export class NewsBoard {
  readonly #line: NewsLine<News>
  readonly #apply: (news: News) => void
  /** In the order in which they were noted last. */
  readonly #rows = new Map<string, Noted>()
  /** Grows with each note. */
  #last = 1
  /** When anything may have changed: at first, since the process before may have told less than it did. */
  #allAt = 1
  #settledAt = 0
  /** Until when each other one has been told. */
  readonly #toldUntil: Map<number, number>
  /** Those who have taken all there is. */
  readonly #upToDate = new Set<number>()
  readonly #asking = new Map<number, Promise<boolean>>()

  /** @param apply what others have changed. */
  constructor(line: NewsLine<News>, apply: (news: News) => void) {
    this.#line = line
    this.#apply = apply
    this.#toldUntil = new Map(line.others.map((slot) => [slot, 0]))
    for (const slot of line.others) line.setNews(slot, true)
    line.answer((to) => this.#give(to))
  }

  /** To be called when rows may have been stored, before anybody is told so. */
  note(rows: readonly ToldRow[]): void {
    for (const row of rows) {
      const told = toldOf(row)
      const key = Object.values(told).join(' ')
      this.#rows.delete(key)
      this.#rows.set(key, { row: told, at: ++this.#last })
    }
    if (this.#rows.size > MOST_ROWS) this.noteAll()
    else this.#say()
  }

  /** To be called when anything may have changed. */
  noteAll(): void {
    this.#rows.clear()
    this.#allAt = ++this.#last
    this.#say()
  }

  noteSettled(): void {
    this.#settledAt = ++this.#last
    this.#say()
  }

  /**
   * Resolves once all that others have acknowledged before the call is applied: with false when one of them
   * does not answer in time. Undefined when there is nothing.
   */
  caughtUp(): Promise<boolean> | undefined {
    const slots = new Set([...this.#line.list(), ...this.#asking.keys()])
    if (slots.size === 0) return undefined
    const all = Promise.all([...slots].map((slot) => this.#catchUp(slot))).then((each) => each.every(Boolean))
    return settledWithin(all, ANSWER_MS).then((isTold) => isTold ?? false)
  }

  /** An answer that is on its way may be of before the call. */
  async #catchUp(slot: number): Promise<boolean> {
    if (!((await this.#asking.get(slot)) ?? true)) return false
    if (!this.#line.list().includes(slot)) return true
    return this.#asking.get(slot) ?? this.#ask(slot)
  }

  #ask(slot: number): Promise<boolean> {
    const asked = this.#line.ask(slot).then(
      (news) => {
        this.#asking.delete(slot)
        this.#apply(news)
        return true
      },
      () => {
        this.#asking.delete(slot)
        return false
      },
    )
    this.#asking.set(slot, asked)
    return asked
  }

  #say(): void {
    for (const slot of this.#upToDate) this.#line.setNews(slot, true)
    this.#upToDate.clear()
  }

  #give(to: number): News {
    const since = this.#toldUntil.get(to) ?? 0
    const rows: ToldRow[] = []
    for (const { row, at } of this.#rows.values()) if (at > since) rows.push(row)
    this.#toldUntil.set(to, this.#last)
    this.#upToDate.add(to)
    this.#line.setNews(to, false)
    this.#forgetTold()
    return { all: this.#allAt > since, settled: this.#settledAt > since, rows }
  }

  #forgetTold(): void {
    const least = Math.min(...this.#toldUntil.values())
    for (const [key, { at }] of this.#rows) {
      if (at > least) return
      this.#rows.delete(key)
    }
  }
}
