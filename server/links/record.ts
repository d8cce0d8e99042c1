// A click on its way into the facts. The visitor waits for it until the deadline and no longer, and never hears of a failure:
// what became of every click is counted.
import type { Context } from '../context.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { Visitor } from '../tracker/visitors.ts'
import { clickRow, type Click, type Clicked } from './click.ts'

/**
 * Longer than an insert takes under load (80 to 150 ms), so that nearly every click is stored before its answer; shorter than what a person
 * would call slow when the page behind it has yet to load.
 */
export const DEADLINE_MS = 300
/** One warning a minute is enough to see it, and cannot fill a disk. */
const WARN_EVERY_MS = 60_000
const ID_BYTES = 8
/** Ids drawn at once: a call for each would cost more than the id. */
const IDS_AHEAD = 512

/** `stored`: before the answer; `late`: not by the deadline; `lost`: never. A late one may be told as lost too, when that is known. */
export type ClickOutcome = 'stored' | 'late' | 'lost'

export type RecordDeps = Pick<Context, 'enrich' | 'visitors' | 'facts' | 'log' | 'now' | 'randomBytes' | 'deadlines'>

export interface Visit extends Pick<Click, 'method' | 'headers'> {
  readonly visitor: Visitor
}

/** Resolves when the visitor may go on: never later than the deadline, and whatever happens. */
export type RecordClick = (target: Clicked, visit: Visit) => Promise<void>

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

/** Its message alone: what a store says on top may repeat the row. */
function openWarnings({ log }: Pick<RecordDeps, 'log'>, message: string): (error: unknown) => void {
  let warnedAt = -Infinity
  return (error) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, message)
  }
}

export function openRecorder(deps: RecordDeps, count: (outcome: ClickOutcome) => void): RecordClick {
  const { enrich, visitors, facts, now } = deps
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

  const store = async (target: Clicked, visit: Visit): Promise<void> => {
    const at = now()
    const session = await identify(target.group.propertyId, visit.visitor, at)
    await facts.append('clicks', clickRow(enrich, target, { ...visit, id: nextId(), at, session }, warnOfPart))
  }

  return (target, visit) =>
    new Promise((resolve) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        count('late') // now: of a store that hangs nothing else would ever be told
        resolve()
      }, deps.deadlines.redirectMs)
      const stored = (): void => {
        clearTimeout(timer)
        if (!isLate) count('stored')
        resolve()
      }
      store(target, visit).then(stored, (error: unknown) => {
        clearTimeout(timer)
        count('lost')
        warnOfLoss(error)
        resolve()
      })
    })
}
