// Which process writes the sample data, and its progress, as stored in the records: one process writes, the
// others report. A process that died keeps its claim for some more seconds.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Parts } from '../context.ts'
import { swapSampleRun } from '../properties/properties.ts'
import { randomText } from '../kernel/secrets.ts'

/** A claim that was not renewed for so long has ended. */
export const CLAIMED_MS = 30_000
/** How often the writer stores its progress, and checks whether it is still wanted. */
export const RENEWED_MS = 5_000
const HOLDER_LENGTH = 20

type RunDeps = Pick<Parts, 'records' | 'now' | 'randomBytes'>

interface StoredClaim {
  readonly holder: string
  readonly until_ms: number
  readonly progress: number
}

/** The progress; undefined when no process writes. @param run as stored in the records. */
export function progressOf(run: string, nowMs: number): number | undefined {
  if (run === '') return undefined
  const { until_ms: untilMs, progress } = JSON.parse(run) as StoredClaim
  // A clock that was set back must not extend a claim.
  return untilMs > nowMs && untilMs <= nowMs + 2 * CLAIMED_MS ? progress : undefined
}

export interface Claim {
  /** Now and then also stored in the records. False when the claim is another's by now, or gone. */
  renew(progress: number): Promise<boolean>
  release(): Promise<void>
}

/** Of several at once one gets it, the others undefined. @param before as it was read. */
export async function claimSample(
  deps: RunDeps,
  id: string,
  before: string,
  everyMs = RENEWED_MS,
): Promise<Claim | undefined> {
  const holder = randomText(deps.randomBytes, HOLDER_LENGTH)
  const textOf = (progress: number): string =>
    JSON.stringify({ holder, until_ms: deps.now() + CLAIMED_MS, progress } satisfies StoredClaim)
  let text = textOf(0)
  let renewedMs = performance.now()
  if (!(await swapSampleRun(deps, id, before, text))) return undefined
  return {
    renew: async (progress) => {
      if (performance.now() - renewedMs < everyMs) return true
      const next = textOf(progress)
      const isOwn = await swapSampleRun(deps, id, text, next)
      if (isOwn) text = next
      renewedMs = performance.now()
      return isOwn
    },
    release: async () => void (await swapSampleRun(deps, id, text, '')),
  }
}

/** How long a slice of work may be; a single insert or transaction may take longer. */
const SLICE_MS = 8

/** Pauses as soon as its slice is over. @param rested is called then; an error it throws ends the run. */
export function restingNow(rested: () => Promise<void>): () => Promise<void> | undefined {
  let startedMs = performance.now()
  const rest = async (): Promise<void> => {
    await nextTurn()
    await rested()
    startedMs = performance.now()
  }
  return () => (performance.now() - startedMs < SLICE_MS ? undefined : rest())
}
