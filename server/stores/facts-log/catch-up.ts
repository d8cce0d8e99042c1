// Inserts what is in the facts log from the log itself: after a start, and while the store is away, when more
// comes than memory should hold.
import type { Logger } from 'pino'
import type { Inserter } from './inserter.ts'
import type { FactsLog } from './log.ts'
import type { LogEntry } from './file.ts'

/** Between two tries. */
const FIRST_PAUSE_MS = 250
const LAST_PAUSE_MS = 5_000
/** What is read from the log at once. */
const PIECE_BYTES = 4 * 1024 * 1024

export class CatchUp {
  readonly #factsLog: Pick<FactsLog, 'read' | 'lastSeq'>
  readonly #inserter: Pick<Inserter, 'insert'>
  readonly #log: Logger
  #work: Promise<void> | undefined
  #isStopped = false
  /** Tries that have begun, and whoever waits for the end of one that begins after they came. */
  #tries = 0
  #waiting: { readonly after: number; readonly resolve: (ended: true) => void }[] = []
  #endPause: () => void = () => undefined

  constructor(factsLog: Pick<FactsLog, 'read' | 'lastSeq'>, inserter: Pick<Inserter, 'insert'>, log: Logger) {
    this.#factsLog = factsLog
    this.#inserter = inserter
    this.#log = log
  }

  /** Until the log is empty; while it is defined, what is appended to the log needs nothing more. */
  get work(): Promise<void> | undefined {
    return this.#work
  }

  start(): void {
    if (this.#isStopped) return
    this.#work ??= this.#insertAll().catch((error: unknown) => {
      this.#work = undefined
      this.#log.error({ err: error }, 'the facts log cannot be read')
    })
  }

  /** What is left stays in the log. */
  stop(): void {
    this.#isStopped = true
    this.#endPause()
  }

  /** The end of a try that begins now, or when the one that is under way has ended. */
  nextTry(): Promise<true> {
    return new Promise((resolve) => {
      this.#waiting.push({ after: this.#tries, resolve })
      this.#endPause()
    })
  }

  async #insertAll(): Promise<void> {
    for (let after = 0; !this.#isStopped;) {
      const { entries, lastSeq } = await this.#factsLog.read(after, PIECE_BYTES)
      // What was appended until now has been read; whatever comes from now on finds nobody catching up.
      if (entries.length === 0 && lastSeq >= this.#factsLog.lastSeq()) break
      await this.#insertPatiently(entries)
      after = entries.at(-1)?.seq ?? after
    }
    this.#work = undefined
  }

  async #insertPatiently(entries: readonly LogEntry[]): Promise<void> {
    let left = entries
    for (let pauseMs = FIRST_PAUSE_MS; left.length > 0 && !this.#isStopped; pauseMs *= 2) {
      const own = ++this.#tries
      const results = await Promise.allSettled(left.map((entry) => this.#inserter.insert(entry)))
      left = left.filter((_entry, index) => results[index]!.status === 'rejected')
      this.#tellWaiting(own)
      if (left.length > 0 && this.#waiting.length === 0) await this.#pause(Math.min(pauseMs, LAST_PAUSE_MS))
    }
  }

  #tellWaiting(ended: number): void {
    const { told = [], others = [] } = Object.groupBy(this.#waiting, ({ after }) => (after < ended ? 'told' : 'others'))
    this.#waiting = others
    for (const { resolve } of told) resolve(true)
  }

  /** Ends early when somebody waits for the store. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
