// The days in use: their salts, and yesterday's sessions that continue over midnight. Opening a day needs
// only the records: slow or absent facts delay no request, and their answer is merged once it arrives.
import type { Deadlines } from '../context.ts'
import { DAY_MS, dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { openClockWatch } from './clock.ts'
import { listActiveSince } from './facts.ts'
import { findSalt, getOrCreateSalt, removeSaltsBefore } from './records.ts'

/** A session does not continue over midnight after a longer pause. */
export const IDLE_MS = 30 * 60_000
/** Tomorrow's salt is created this long in advance, so that no request at midnight has to wait for it. */
const SALT_AHEAD_MS = 10 * 60_000
/**
 * How old another node's information about a continued session may be. Shorter would query the facts more
 * often; longer would split the sessions of visitors who change nodes.
 */
const REFRESH_MS = 5_000
/**
 * How long the first requests of a day wait for the list of continued sessions: longer would lose page views,
 * shorter would split sessions.
 */
export const WAIT_FOR_FACTS_MS = 1_000

/** Last activity of yesterday's sessions that may still continue, by session hash. */
type Carried = Map<bigint, number>

export interface Day {
  readonly day: number
  /** 16 random bytes, hex. */
  readonly salt: string
  /** Undefined when nothing was recorded yesterday. */
  readonly saltBefore: string | undefined
  readonly carried: Carried
  refreshedAt: number
  /** Whether the facts have answered which sessions continue. */
  isKnown: boolean
  isReading: boolean
}

export type DayDeps = Pick<Deps, 'config' | 'records' | 'facts' | 'log' | 'now' | 'randomBytes'> & {
  readonly deadlines: Pick<Deadlines, 'newDayMs'>
}

export interface Days {
  /** The day of a time that is now or shortly before, opened on first use. A promise only then. */
  dayAt(nowMs: number): Day | Promise<Day>
  /** The salts of two days are kept. */
  removeOldSalts(): Promise<void>
  /** The sessions of `day` that continue on the next day; undefined until that day is opened. */
  carriedFrom(day: number): Carried | undefined
}

/**
 * Keeps the salts of today and yesterday; without an older one, nobody can name its visitors. While the clock
 * is in doubt none is deleted: if it was set ahead by mistake, today's salt would be among the old ones, and
 * all visitors of today would count again once it is corrected.
 */
function openSaltRemoval({ records, now }: Pick<Deps, 'records' | 'now'>): () => Promise<void> {
  const isCredible = openClockWatch()
  return async () => {
    const nowMs = now()
    if (isCredible(nowMs)) await removeSaltsBefore(records, dayOf(nowMs) - 1)
  }
}

async function readCarried({ facts, now }: DayDeps, day: Day): Promise<void> {
  day.isReading = true
  try {
    for (const [hash, lastMs] of await listActiveSince(facts, day.day - 1, now() - IDLE_MS)) {
      if (lastMs > (day.carried.get(hash) ?? 0)) day.carried.set(hash, lastMs)
    }
    day.isKnown = true
  } finally {
    day.isReading = false
  }
}

/**
 * The day opens without the facts, too: until they answer, visitors from before midnight start new sessions.
 */
async function awaitCarried(deps: DayDeps, day: Day): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, deps.deadlines.newDayMs, 'late')
  const warn = (error?: unknown): void =>
    deps.log.warn(
      { err: error },
      'the day begins without the sessions that carry on over midnight: the facts store does not answer',
    )
  const outcome = await Promise.race([readCarried(deps, day).catch(warn), late])
  clearTimeout(timer)
  if (outcome === 'late') warn()
}

async function openDay(deps: OpeningDeps, day: number, carried: Carried): Promise<Day> {
  const { records, now, randomBytes } = deps
  try {
    const salt = await getOrCreateSalt(records, day, randomBytes(16).toString('hex'))
    const saltBefore = await findSalt(records, day - 1)
    // Not awaited: another process may be writing for a while, and the hourly job tries again.
    deps
      .removeOldSalts()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'an old salt could not be removed yet'))
    const opened = { day, salt, saltBefore, carried, refreshedAt: now(), isKnown: false, isReading: false }
    if (saltBefore !== undefined) await awaitCarried(deps, opened)
    return opened
  } catch (error) {
    throw error instanceof Problem
      ? error
      : new Problem('unavailable', 'The records store is not responding.', { retryAfterSeconds: 5, cause: error })
  }
}

/** Drops sessions that are over, and merges what other nodes stored. */
async function refreshCarried(deps: DayDeps, day: Day): Promise<void> {
  const since = deps.now() - IDLE_MS
  for (const [hash, lastMs] of day.carried) if (lastMs < since) day.carried.delete(hash)
  // Facts without another writer: once they were read, noteActivity reports the rest.
  if (!day.isReading && (deps.facts.isShared || !day.isKnown)) await readCarried(deps, day)
}

/**
 * In the first half hour another node may still be storing rows from before midnight; later an empty map
 * stays empty.
 */
function mayCarry(day: Day, nowMs: number): boolean {
  return day.carried.size > 0 || nowMs - day.day * DAY_MS <= IDLE_MS
}

type OpeningDeps = DayDeps & Pick<Days, 'removeOldSalts'>

interface Opening {
  readonly carried: Carried
  readonly opened: Promise<Day>
}

/** Today, and yesterday for requests that began before midnight. */
export function openDays(deps: DayDeps): Days {
  let current: Day | undefined
  const opening = new Map<number, Opening>()
  let saltedAhead = 0
  const removeOldSalts = openSaltRemoval(deps)

  const open = (day: number): Promise<Day> => {
    const pending = opening.get(day)
    if (pending) return pending.opened
    const carried: Carried = new Map()
    const opened = openDay({ ...deps, removeOldSalts }, day, carried)
      .then((ready) => {
        // A request that began before midnight must not bring yesterday back.
        if (!current || dayOf(deps.now()) === day) current = ready
        return ready
      })
      .finally(() => opening.delete(day))
    opening.set(day, { carried, opened })
    return opened
  }

  const background = (work: Promise<unknown>, what: string): void => {
    work.catch((error: unknown) => deps.log.warn({ err: error }, what))
  }

  const tend = (day: Day, nowMs: number): void => {
    if (day.saltBefore && Math.abs(nowMs - day.refreshedAt) > REFRESH_MS && mayCarry(day, nowMs)) {
      day.refreshedAt = nowMs
      background(refreshCarried(deps, day), 'sessions carried over midnight could not be refreshed')
    }
    if (nowMs > (day.day + 1) * DAY_MS - SALT_AHEAD_MS && saltedAhead <= day.day) {
      saltedAhead = day.day + 1
      background(
        getOrCreateSalt(deps.records, saltedAhead, deps.randomBytes(16).toString('hex')),
        "tomorrow's salt could not be made ahead",
      )
    }
  }

  return {
    removeOldSalts,
    dayAt(nowMs) {
      const today = dayOf(nowMs)
      if (current?.day !== today) return open(today)
      tend(current, nowMs)
      return current
    },
    // A row from before midnight that is stored while the new day opens may be missed by its query of the
    // facts.
    carriedFrom: (day) => (current?.day === day + 1 ? current.carried : opening.get(day + 1)?.carried),
  }
}

/** Whether the visitor still continues yesterday's session `hash`. */
export function carriesOn(day: Day, hash: bigint, nowMs: number): boolean {
  const lastMs = day.carried.get(hash)
  return lastMs !== undefined && nowMs - lastMs <= IDLE_MS
}
