// The last step of a move while the service runs: it stops writing, what has changed is carried, and it stays
// so until it is started on the other side (docs/decisions/0086-pause-of-writes.md).
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../server/config.ts'
import { findEngine } from '../server/engine/address.ts'
import type { FactsSource } from '../server/stores/carry-digests.ts'
import { carryAhead, carryRest, type FactsSide } from '../server/stores/carry-facts.ts'
import { carryRecords } from '../server/stores/carry-records.ts'
import { placeOfFacts } from '../server/stores/facts-place.ts'
import { migrateStores } from '../server/stores/migrate.ts'
import { dueRecordMigrations, migrateRecords } from '../server/stores/migrations/records.ts'
import { openRecords, type Records, withMigrationLock } from '../server/stores/records.ts'
import { LOST, pauseWrites } from './move-lease.ts'
import { type Carried, isWhole, metered, openFactsSide, quiet, type Task } from './move-stores.ts'

/** What is written by this command alone, where both sides have the same DATA_DIR. */
const WORK = 'move-work'

/** @throws Error where the running service has them for itself and does not say how to ask. */
async function sourceOf(from: Config): Promise<FactsSource> {
  const url = from.clickhouseUrls[0] ?? (await findEngine(from.dataDir))
  if (url === undefined)
    throw new Error(`The facts of the service in ${from.dataDir} cannot be read: was it started by an older version?`)
  return { url, isWhole: isWhole(from) }
}

/** The log of facts in a folder belongs to the service that runs there. */
function settingsBeside({ from, to }: Task): Config {
  if (to.dataDir !== from.dataDir) return to
  if (to.clickhouseUrls.length === 0)
    throw new Error('The target needs a DATA_DIR of its own, or stop the service and run this without --pause.')
  return { ...to, dataDir: join(from.dataDir, WORK) }
}

interface Sides {
  readonly records: Records
  readonly target: Records
  readonly facts: { readonly from: FactsSource; readonly to: FactsSide } | undefined
}

async function openSides(task: Task, closers: (() => Promise<unknown>)[]): Promise<Sides> {
  const { from, to, hasFacts, hasRecords } = task
  const open = async (config: Config): Promise<Records> => {
    const records = await openRecords(config)
    closers.push(() => records.destroy())
    return records
  }
  const records = await open(from)
  if ((await dueRecordMigrations(records)).length > 0)
    throw new Error('These stores are of an earlier version: start this version on them first.')
  const target = hasRecords ? await open(to) : records
  if (!hasFacts) {
    await withMigrationLock(target, () => migrateRecords(target))
    return { records, target, facts: undefined }
  }
  const source = await sourceOf(from)
  const beside = settingsBeside(task)
  await mkdir(beside.dataDir, { recursive: true, mode: 0o700 })
  const side = await openFactsSide(beside, closers)
  await migrateStores(target, side.facts, quiet)
  return { records, target, facts: { from: source, to: side } }
}

const seconds = (ms: number): number => Math.round(ms) / 1000

async function carrySides({ from, to, hasRecords }: Task, { records, target, facts }: Sides) {
  const ahead = facts && (await metered('weeks', (onStep) => carryAhead(facts.from, facts.to, onStep)))
  const pause = await pauseWrites(records, { from: placeOfFacts(from), to: hasRecords ? null : placeOfFacts(to) })
  try {
    const [ofRecords, ofFacts] = await Promise.all([
      hasRecords ? metered('tables', (onStep) => carryRecords(records, target, onStep)) : null,
      facts && ahead ? carryRest(facts.from, facts.to, ahead, () => undefined) : null,
    ])
    await pause.keep()
    return { records: ofRecords, facts: ofFacts, pausedSeconds: seconds(performance.now() - pause.begunMs) }
  } catch (error) {
    // What differs then was written since.
    if (!(await pause.end())) throw new Error(LOST, { cause: error })
    throw error
  }
}

/** @throws Error when it cannot be done, or the pause did not hold: then the service writes again. */
export async function carryPaused(task: Task): Promise<Carried & { readonly pausedSeconds: number }> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await carrySides(task, await openSides(task, closers))
  } finally {
    for (const close of closers.toReversed()) await close()
    await rm(join(task.from.dataDir, WORK), { recursive: true, force: true })
  }
}
