// A pause of all writes of a running service, held by this command: it ends by itself when the command does.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../server/kernel/secrets.ts'
import { GONE_MS } from '../server/pause.ts'
import {
  beginPause,
  endLapsedPause,
  endPause,
  extendPause,
  findAnyPause,
  findPause,
  keepPause,
  listWriters,
  type PauseRow,
  renewPause,
  type WriterRow,
} from '../server/pause-records.ts'
import { storeClockOf } from '../server/stores/clock.ts'
import type { Records } from '../server/stores/records.ts'

/** A command that is killed keeps everybody waiting for so long; one held up for longer has failed. */
const LEASE_MS = 15_000
const RENEW_MS = 1_000
const POLL_MS = 50
/** Processes note themselves every ten seconds: older ones are about to be forgotten. */
const FRESH_MS = 12_000
/** Webhooks on their way end, and what waits in the log is stored: seconds. */
const QUIET_MS = 40_000

export interface HeldPause {
  /** By the clock of this process. */
  readonly begunMs: number
  /** Nothing is written until somebody ends it. @throws Error when it has ended meanwhile. */
  keep(): Promise<void>
  /** The service writes again. @returns false when it had done so before. */
  end(): Promise<boolean>
}

const MOVED =
  'This installation has been moved, and changes are paused: restart the service with the new settings. To stay here after all: footfall move --resume'
export const LOST =
  'The pause ended before everything was copied, and the service accepts changes again. Run it once more.'

/** Those that are there; on one machine nobody is forgotten. */
async function writersOf(records: Records, clock: (() => Promise<number>) | undefined): Promise<WriterRow[]> {
  return listWriters(records, clock ? (await clock()) - GONE_MS : 0)
}

/**
 * Whether a process of the service was heard of just now, on whatever machine; records that are a file of
 * this one do not tell.
 */
export async function isWrittenTo(records: Records): Promise<boolean> {
  const clock = storeClockOf(records)
  return clock !== undefined && (await writersOf(records, clock)).length > 0
}

/** One that has just died is waited for before, while everybody writes. */
async function waitForGone(records: Records, clock: (() => Promise<number>) | undefined): Promise<void> {
  for (const end = Date.now() + GONE_MS; clock && Date.now() < end; await sleep(POLL_MS)) {
    const nowMs = await clock()
    const writers = await writersOf(records, clock)
    if (writers.every(({ seen_ms }) => seen_ms > nowMs - FRESH_MS)) return
  }
}

/**
 * Resolves when changes are not paused, or when nobody renews their pause any more.
 * @param place of the facts.
 * @param onWait told once when there is something to wait for, with the seconds that it takes at most.
 * @throws Error when the command that paused them is at work, or has done all there was.
 */
export async function waitForOtherMove(
  records: Records,
  place: string,
  onWait: (seconds: number) => void,
): Promise<void> {
  const clock = storeClockOf(records)
  for (let first: PauseRow | undefined; ; await sleep(POLL_MS)) {
    const pause = await findPause(records, place)
    if (!pause) return
    if (pause.until_ms === null) throw new Error(MOVED)
    const leftMs = pause.until_ms - (clock ? await clock() : Date.now())
    if (leftMs <= 0) return
    if (!first) onWait(Math.ceil(leftMs / 1000))
    first ??= pause
    if (pause.id !== first.id || pause.until_ms !== first.until_ms) throw new Error('Another move is under way.')
  }
}

async function begin(records: Records, id: string, nowMs: number, place: string): Promise<void> {
  const [before, untilMs] = [await findAnyPause(records), nowMs + LEASE_MS]
  if (before?.moved_to === place) {
    if (await renewPause(records, before.id, id, untilMs)) return
  } else if (before) await endLapsedPause(records, before.id, nowMs)
  if (!(await beginPause(records, id, untilMs))) throw new Error('Another move is under way.')
}

/** Of the facts: where they are, and where they will be when they alone are moved; null otherwise. */
export interface Places {
  readonly from: string
  readonly to: string | null
}

/**
 * Resolves once no process of the service writes any more.
 * @throws Error when one of them does not say so in time; then all go on writing.
 */
export async function pauseWrites(records: Records, places: Places): Promise<HeldPause> {
  const clock = storeClockOf(records)
  const now = clock ?? (async () => Date.now())
  await waitForGone(records, clock)
  if ((await writersOf(records, clock)).length === 0)
    throw new Error('No process of the service is known on these stores: was it started by an older version?')
  const id = newId({ randomBytes }, 'pa')
  const begunMs = performance.now()
  await begin(records, id, await now(), places.from)
  let isLost = false
  let renewing: Promise<unknown> = Promise.resolve()
  const renew = async (): Promise<void> => {
    isLost ||= !(await extendPause(records, id, (await now()) + LEASE_MS))
  }
  // One that fails is made up for by the next.
  const timer = setInterval(() => void (renewing = renew().catch(() => undefined)), RENEW_MS)
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await renewing
  }
  const end = async (): Promise<boolean> => {
    await stop()
    return endPause(records, id)
  }
  try {
    for (const lastMs = Date.now() + QUIET_MS; ; await sleep(POLL_MS)) {
      if (isLost) throw new Error(LOST)
      const writers = await writersOf(records, clock)
      if (writers.every(({ pause_id }) => pause_id === id)) break
      if (Date.now() > lastMs)
        throw new Error('A process of the service did not stop writing in time. It accepts changes again.')
    }
  } catch (error) {
    await end()
    throw error
  }
  return {
    begunMs,
    end,
    async keep() {
      await stop()
      if (isLost || !(await keepPause(records, id, places.to))) throw new Error(LOST)
    },
  }
}
