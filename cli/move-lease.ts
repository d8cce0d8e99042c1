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
  findPause,
  listWriters,
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
  /** The service writes again. */
  end(): Promise<void>
}

const LOST = 'The pause ended before everything was copied, and the service accepts changes again. Run it once more.'

/** Those that are there; on one machine nobody is forgotten. */
async function writersOf(records: Records, clock: (() => Promise<number>) | undefined): Promise<WriterRow[]> {
  return listWriters(records, clock ? (await clock()) - GONE_MS : 0)
}

/** One that has just died is waited for before, while everybody writes. */
async function waitForGone(records: Records, clock: (() => Promise<number>) | undefined): Promise<void> {
  for (const end = Date.now() + GONE_MS; clock && Date.now() < end; await sleep(POLL_MS)) {
    const nowMs = await clock()
    const writers = await writersOf(records, clock)
    if (writers.every(({ seen_ms }) => seen_ms > nowMs - FRESH_MS)) return
  }
}

async function begin(records: Records, id: string, nowMs: number): Promise<void> {
  const before = await findPause(records)
  if (before) await endLapsedPause(records, before.id, nowMs)
  if (!(await beginPause(records, id, nowMs + LEASE_MS)))
    throw new Error('Changes are paused already: footfall move --resume ends that.')
}

/**
 * Resolves once no process of the service writes any more.
 * @throws Error when one of them does not say so in time; then all go on writing.
 */
export async function pauseWrites(records: Records): Promise<HeldPause> {
  const clock = storeClockOf(records)
  const now = clock ?? (async () => Date.now())
  await waitForGone(records, clock)
  if ((await writersOf(records, clock)).length === 0)
    throw new Error('No process of the service is known on these stores: was it started by an older version?')
  const id = newId({ randomBytes }, 'pa')
  const begunMs = performance.now()
  await begin(records, id, await now())
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
  const end = async (): Promise<void> => {
    await stop()
    await endPause(records, id)
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
      if (isLost || !(await extendPause(records, id, null))) throw new Error(LOST)
    },
  }
}
