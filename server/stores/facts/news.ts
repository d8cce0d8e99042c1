// What processes that share an embedded store tell each other of what they have changed, so that each knows
// which of its kept answers still hold, which days are settled and which properties have marks, as if it were
// alone. Nobody is told before they ask: a process that has something says so (Beside), and a question asks
// those before it relies on what its own process knows.
import { settledWithin } from '../../queues/deadline.ts'
import type { NewsLine } from '../beside.ts'
import type { FactTable } from '../tables.ts'
import type { TouchingRow } from './running.ts'

/** What is told of a row. */
export interface ToldRow extends TouchingRow {
  readonly table: FactTable
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

/** Sessions that are told by their ids, all together. Above it any of a day may have changed so far. */
const MOST_SESSIONS = 20_000

interface Noted {
  readonly row: ToldRow
  readonly at: number
  /** When each was noted last, of those since `anyUntil`. Until then it may have been any. */
  readonly sessions: Map<string, number>
  readonly anyUntil: number
}

/** Stands for the sessions of rows that are told as one. */
const SOME = '1'

/** Rows that change the same are one. */
function toldOf({ table, property = '', day = '', session_day, session, mark }: ToldRow): ToldRow {
  const hasSession = session !== undefined && session !== '0'
  const base = { table, property, day, session: hasSession ? SOME : '0' }
  return { ...base, ...(session_day !== undefined && { session_day }), ...(mark !== undefined && { mark: mark % 2 }) }
}

export class NewsBoard {
  readonly #line: NewsLine<News>
  readonly #apply: (news: News) => void
  /** In the order in which they were noted last. */
  readonly #rows = new Map<string, Noted>()
  /** How many sessions they name. */
  #named = 0
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
  note(table: FactTable, rows: readonly Omit<ToldRow, 'table'>[]): void {
    for (const row of rows) {
      const told = toldOf({ ...row, table })
      const key = Object.values(told).join(' ')
      const before = this.#rows.get(key)
      const { sessions, anyUntil } = before ?? { sessions: new Map<string, number>(), anyUntil: 0 }
      const at = ++this.#last
      if (told.session === SOME && row.session !== undefined) {
        if (!sessions.has(row.session)) this.#named++
        sessions.set(row.session, at)
      }
      this.#rows.delete(key)
      this.#rows.set(key, { row: told, at, sessions, anyUntil })
    }
    if (this.#named > MOST_SESSIONS) this.#forgetSessions()
    if (this.#rows.size > MOST_ROWS) this.noteAll()
    else this.#say()
  }

  /** To be called when anything may have changed. */
  noteAll(): void {
    this.#rows.clear()
    this.#named = 0
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

  /** One who never asks must not keep those who do from being told of single sessions. */
  #forgetSessions(): void {
    const anyUntil = this.#last
    for (const [key, noted] of this.#rows) this.#rows.set(key, { ...noted, sessions: new Map(), anyUntil })
    this.#named = 0
  }

  #give(to: number): News {
    const since = this.#toldUntil.get(to) ?? 0
    const rows: ToldRow[] = []
    for (const { row, at, sessions, anyUntil } of this.#rows.values()) {
      if (at <= since) continue
      const latest = [...sessions].flatMap(([session, notedAt]) => (notedAt > since ? [session] : []))
      rows.push({ ...row, sessions: since < anyUntil ? 'any' : latest })
    }
    this.#toldUntil.set(to, this.#last)
    this.#upToDate.add(to)
    this.#line.setNews(to, false)
    this.#forgetTold()
    return { all: this.#allAt > since, settled: this.#settledAt > since, rows }
  }

  #forgetTold(): void {
    const least = Math.min(...this.#toldUntil.values())
    for (const [key, { at, sessions }] of this.#rows) {
      if (at > least) return
      this.#rows.delete(key)
      this.#named -= sessions.size
    }
  }
}
