// One time for all nodes (docs/decisions/0037-one-clock.md). A visitor's session is that of a day: nodes that
// disagree about midnight would give a new visitor two.
import type { Logger } from 'pino'

/** A step of the machine's clock is noticed within it. */
const EVERY_MS = 5_000
/** The quickest of so many answers tells the time best. */
const SAMPLES = 3
/** An owner wants to know of it, although nothing is wrong because of it. */
const WARN_MS = 5_000

export interface SharedClock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  readonly close: () => void
}

export interface SharedClockParts {
  /** The time of the store. */
  readonly read: () => Promise<number>
  /** That of this machine. */
  readonly systemNow?: () => number
  readonly log: Pick<Logger, 'warn'>
}

interface Measured {
  /** The store's time less the machine's. */
  readonly offsetMs: number
  /** By how much it may be wrong. */
  readonly doubtMs: number
}

async function measureOnce(read: () => Promise<number>, systemNow: () => number): Promise<Measured> {
  const [begunMs, begunAt] = [performance.now(), systemNow()]
  const storeMs = await read()
  const doubtMs = (performance.now() - begunMs) / 2
  return { offsetMs: storeMs - (begunAt + doubtMs), doubtMs }
}

async function measure(read: () => Promise<number>, systemNow: () => number): Promise<Measured> {
  let best: Measured | undefined
  for (let sample = 0; sample < SAMPLES; sample++) {
    const measured = await measureOnce(read, systemNow)
    if (!best || measured.doubtMs < best.doubtMs) best = measured
  }
  return best!
}

/** Asks the store now and every few seconds; while it does not answer, what was measured last holds. */
export async function openSharedClock({ read, systemNow = Date.now, log }: SharedClockParts): Promise<SharedClock> {
  let { offsetMs } = await measure(read, systemNow)
  let hasWarned = false
  const warn = (): void => {
    const isFar = Math.abs(offsetMs) > WARN_MS
    if (isFar && !hasWarned)
      log.warn(
        { seconds: Math.round(offsetMs / 1000) },
        'the clock of this machine is not that of PostgreSQL, which is used',
      )
    hasWarned = isFar
  }
  warn()
  const timer = setInterval(() => {
    measure(read, systemNow).then(
      (measured) => {
        // Within its doubt nothing is known better than before.
        if (Math.abs(measured.offsetMs - offsetMs) > measured.doubtMs) ({ offsetMs } = measured)
        warn()
      },
      () => undefined,
    )
  }, EVERY_MS).unref()
  return { now: () => Math.round(systemNow() + offsetMs), close: () => clearInterval(timer) }
}
