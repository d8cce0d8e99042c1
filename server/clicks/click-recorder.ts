// Appends clicks to the facts. The visitor waits until the deadline at most and never sees a failure; the
// outcome of every click is counted. In a flood from one address, most clicks are only counted (floods.ts).
import type { Context } from '../context.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { ClickRow } from '../stores/tables.ts'
import type { Visitor } from '../tracker/tracker.ts'
import { clickRow, type Click, type Clicked } from './click-model.ts'
import { openFloods } from './floods.ts'

/**
 * Longer than an insert takes under load (80 to 150 ms), so that nearly every click is stored before its
 * answer; shorter than a delay that people notice.
 */
export const DEADLINE_MS = 300
/** How long a failed click is tried again: visitors who are redirected before have been recorded. */
const TRY_FOR_MS = DEADLINE_MS
const PAUSE_MS = 50
/** One warning a minute is noticed, and cannot fill a disk. */
const WARN_EVERY_MS = 60_000
const ID_BYTES = 8
/** Random ids are drawn in blocks: a call for each would cost more than the id. */
const IDS_AHEAD = 512

/**
 * `stored`: before the answer; `late`: not by the deadline; `lost`: never. A late click may be reported as
 * lost too, once that is known. `flood`: one of too many, counted in a row that is stored later.
 */
export type ClickOutcome = 'stored' | 'late' | 'lost' | 'flood'

export type CountClicks = (outcome: ClickOutcome, clicks?: number) => void

export type RecordDeps = Pick<Context, 'enrich' | 'visitors' | 'facts' | 'log' | 'now' | 'randomBytes' | 'deadlines'>

export interface Visit extends Pick<Click, 'method' | 'headers'> {
  readonly visitor: Visitor
}

export interface ClickRecorder {
  /** Resolves when the visitor may be redirected: by the deadline at the latest, whatever happens. */
  record(target: Clicked, visit: Visit): Promise<void>
  /** Resolves when the floods that were only counted are stored. */
  close(): Promise<void>
}

function openIds(randomBytes: RecordDeps['randomBytes']): () => string {
  let drawn: Buffer = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at >= drawn.length) {
      drawn = randomBytes(ID_BYTES * IDS_AHEAD)
      at = 0
    }
    at += ID_BYTES
    return drawn.readBigUInt64BE(at - ID_BYTES).toString()
  }
}

/** Only the message: other properties of a store's error may repeat the row. */
function openWarnings({ log }: Pick<RecordDeps, 'log'>, message: string): (error: unknown) => void {
  let warnedAt = -Infinity
  return (error) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, message)
  }
}

interface Settled {
  readonly deadlineMs: number
  readonly stored: () => void
  /** At the deadline, not afterwards: a store that hangs may never answer. */
  readonly late: () => void
  /** May follow after `late`. */
  readonly lost: (error: unknown) => void
}

/**
 * Stores until it succeeds or the time is up. Resolves once it is settled, and at the deadline at the latest.
 */
function beforeDeadline(store: () => Promise<void>, { deadlineMs, stored, late, lost }: Settled): Promise<void> {
  return new Promise((resolve) => {
    let isLate = false
    const endMs = performance.now() + TRY_FOR_MS
    const timer = setTimeout(() => {
      isLate = true
      late()
      resolve()
    }, deadlineMs)
    const succeed = (): void => {
      clearTimeout(timer)
      if (!isLate) stored()
      resolve()
    }
    const fail = (error: unknown): void => {
      if (performance.now() < endMs) return void setTimeout(tryOnce, PAUSE_MS)
      clearTimeout(timer)
      lost(error)
      resolve()
    }
    const tryOnce = (): void => void store().then(succeed, fail)
    tryOnce()
  })
}

export function openRecorder(deps: RecordDeps, count: CountClicks): ClickRecorder {
  const { enrich, visitors, now } = deps
  const nextId = openIds(deps.randomBytes)
  const warnOfPart = openWarnings(deps, 'something about a click could not be found out: it is recorded without')
  const warnOfLoss = openWarnings(deps, 'a click was not recorded')

  /** Undefined when the records, which hold the day's salt, do not answer. */
  const identify = async (propertyId: string, visitor: Visitor, at: number): Promise<SessionRef | undefined> => {
    try {
      return await visitors.identify(propertyId, visitor, at)
    } catch (error) {
      warnOfPart(error)
      return undefined
    }
  }

  const storeFlood = async (row: ClickRow): Promise<void> => {
    try {
      await deps.facts.append('clicks', row)
    } catch (error) {
      count('lost', row.count)
      warnOfLoss(error)
    }
  }
  const floods = openFloods({ ...deps, nextId, store: storeFlood })

  const store = async (target: Clicked, visit: Visit, at: number): Promise<void> => {
    const session = await identify(target.group.propertyId, visit.visitor, at)
    await deps.facts.append('clicks', clickRow(enrich, target, { ...visit, id: nextId(), at, session }, warnOfPart))
  }

  const lost = (error: unknown): void => {
    count('lost')
    warnOfLoss(error)
  }
  const settled: Omit<Settled, 'deadlineMs'> = { stored: () => count('stored'), late: () => count('late'), lost }

  return {
    async record(target, visit) {
      const at = now()
      if (floods.isFlood(target, visit.visitor.address, at)) count('flood')
      else await beforeDeadline(() => store(target, visit, at), { ...settled, deadlineMs: deps.deadlines.redirectMs })
    },
    close: () => floods.close(),
  }
}
