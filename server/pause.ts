// Stops this process from writing while the installation is carried to other stores, and tells that it has
// stopped (docs/decisions/0086-pause-of-writes.md). The word is a row of the records, which every process of
// every node looks at.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Deps } from './kernel/deps.ts'
import { endLapsedPause, findPause, noteWriter, type PauseRow, removeWriter, removeWriters } from './pause-records.ts'
import { placeOfFacts } from './stores/facts-place.ts'
import type { WriteGate } from './stores/gate.ts'
import { recordsKind } from './stores/records.ts'
import type { Team } from './workers/workers.ts'

/** How long a change of it goes unnoticed. */
const LOOK_MS = 500
/** On a database that other machines write to, each process says so often that it is there. */
const NOTE_MS = 10_000
/** One that was not heard of for so long is not there any more: three times it has said nothing. */
export const GONE_MS = 30_000
/** Earlier than others take this process for gone: one that was held up looks before it writes again. */
const STALE_MS = 20_000
const FORGET_MS = 600_000

export interface PauseDeps extends Pick<Deps, 'config' | 'records' | 'facts' | 'now'> {
  readonly gate: WriteGate
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** The other processes of the service, where there are some. */
  readonly team: Pick<Team, 'slot' | 'isFirst'> | undefined
}

/** Work beside requests that is not to be cut off in the middle. */
export interface Resting {
  /** Resolves when nothing of it is under way. */
  readonly rest: () => Promise<unknown>
  readonly resume: () => unknown
}

function wordsOf({ until_ms, moved_to }: PauseRow): string {
  if (until_ms !== null) return 'nothing is written while this installation is moved to other databases'
  const where =
    moved_to === null ? 'this installation was moved to other databases' : `the facts were moved to ${moved_to}`
  return `nothing is written: ${where} (footfall move --resume ends it)`
}

export class Pause {
  readonly #deps: PauseDeps
  readonly #isShared: boolean
  /** This process: on one machine its number, which the next process in its place has too. */
  readonly #writer: string
  readonly #place: string
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #resting: Resting[] = []
  #id: string | undefined
  /** The one for which nothing is written here any more. */
  #keptId = ''
  #lookedAt = performance.now()
  #looking: Promise<void> | undefined
  #isClosed = false

  /** Before anything is written by requests or jobs. */
  static async open(deps: PauseDeps): Promise<Pause> {
    const pause = new Pause(deps)
    if (!pause.#isShared && (deps.team?.isFirst ?? true)) await removeWriters(deps.records, Number.MAX_SAFE_INTEGER)
    // In this order: whoever pauses from now on waits for this process.
    await pause.#note()
    await pause.#look()
    if (pause.isOn) void deps.gate.close()
    return pause
  }

  private constructor(deps: PauseDeps) {
    this.#deps = deps
    this.#isShared = recordsKind(deps.records) === 'postgres'
    this.#place = placeOfFacts(deps.config)
    this.#writer = this.#isShared ? randomUUID() : String(deps.team?.slot ?? 1)
    deps.gate.freshen = () => (performance.now() - this.#lookedAt > STALE_MS ? this.#lookSoon() : undefined)
    this.#timers = [
      setInterval(() => void this.#lookSoon(), LOOK_MS).unref(),
      ...(this.#isShared ? [setInterval(() => void this.#note().catch(() => undefined), NOTE_MS).unref()] : []),
    ]
  }

  /** Nothing is to be begun that writes. */
  get isOn(): boolean {
    return this.#id !== undefined
  }

  /** Before the gate is closed, and after it was opened. */
  add(resting: Resting): void {
    this.#resting.push(resting)
    if (this.isOn) void resting.rest()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#looking
    if (this.#isShared) await removeWriter(this.#deps.records, this.#writer)
  }

  async #note(): Promise<void> {
    const { records, now } = this.#deps
    const nowMs = now()
    await noteWriter(records, { id: this.#writer, seen_ms: nowMs, pause_id: this.#keptId })
    if (this.#isShared) await removeWriters(records, nowMs - FORGET_MS)
  }

  /** Never fails: while the records are away, what needs none of them goes on. */
  #lookSoon(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined
        this.#lookedAt = performance.now()
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { records, now } = this.#deps
    const row = await findPause(records, this.#place)
    const isLapsed = row !== undefined && row.until_ms !== null && row.until_ms <= now()
    if (!isLapsed) this.#changed(row)
    else if (await endLapsedPause(records, row.id, now())) this.#changed(undefined)
  }

  #changed(row: PauseRow | undefined): void {
    const [before, id] = [this.#id, row?.id]
    if (id === before || this.#isClosed) return
    const { gate, log } = this.#deps
    this.#id = id
    this.#keptId = ''
    if (row) {
      if (before === undefined) log.warn(wordsOf(row))
      return void this.#keep(row.id)
    }
    gate.open()
    log.info('writing again')
    for (const { resume } of this.#resting) resume()
  }

  /** Until it can be said that nothing is written here any more, or the pause is over. */
  async #keep(id: string): Promise<void> {
    const { gate, facts, log } = this.#deps
    while (this.#id === id && !this.#isClosed) {
      try {
        await Promise.all(this.#resting.map(({ rest }) => rest()))
        if (this.#id !== id) return
        await gate.close()
        await facts.drained()
        if (this.#id !== id) return
        this.#keptId = id
        return await this.#note()
      } catch (error) {
        this.#keptId = ''
        log.warn({ err: error }, 'writes cannot be paused yet')
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref())
      }
    }
  }
}
