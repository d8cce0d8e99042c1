// Who is calling, without cookies: the day's salt, the session of a visitor, and the sessions that carry on over midnight.
// Two nodes with the same stores give a visitor the same session; after a day nobody can find the visitor of a session.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DAY_MS, dayOf } from '../kernel/days.ts'
import { type Deps } from '../kernel/deps.ts'
import { type SessionRef } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { isStored, listActiveSince } from './facts.ts'
import { findSalt, getOrCreateSalt, removeSaltsBefore } from './records.ts'

/** What tells one visitor from another: all three as the browser sent them. */
export interface Visitor {
  readonly address: string
  readonly agent: string
  readonly language: string
}

export interface Visitors {
  /** The session that the visitor's activity belongs to now; whether anything is stored of it is another question. */
  identify(propertyId: string, visitor: Visitor): Promise<SessionRef>
  /** False for a session whose day is over, unless it carries on from yesterday. */
  isCurrent(session: SessionRef): Promise<boolean>
  /** To be told after each stored activity of the visitor's browser. */
  noteActivity(session: SessionRef): void
  /** Whether a page view of the session is stored. */
  exists(propertyId: string, session: SessionRef): Promise<boolean>
  /** A number for a new view: unsigned 32-bit, unique within its session. */
  nextView(): number
}

/** A session is over for its visitor when more than this has passed without activity across a midnight. */
export const IDLE_MS = 30 * 60_000
/** Tomorrow's salt is made this long before it is needed, so that no request at midnight has to wait for it. */
const SALT_AHEAD_MS = 10 * 60_000
/** How old another node's news of a carried session may be. Shorter asks the facts more often; longer splits a visitor who changes nodes. */
const REFRESH_MS = 5_000
/** Ids that need no question to the facts: about 10 MB. */
const MAX_RECENT = 50_000
interface Day {
  readonly day: number
  /** 16 random bytes, hex. */
  readonly salt: string
  /** Undefined when nothing was recorded yesterday. */
  readonly saltBefore: string | undefined
  /** Last activity of yesterday's sessions that may still carry on, by session hash. */
  readonly carried: Map<bigint, number>
  refreshedAt: number
}

/**
 * 64 bits of a keyed hash; the parts are written with their lengths, so that no two visitors share an input.
 * The salt comes first and has one length; of the digest only a quarter is ever shown, so nothing can be appended to the input.
 * That is as good as the HMAC of mac() here, at a sixth of its time.
 */
export function sessionHash(salt: string, propertyId: string, { address, agent, language }: Visitor): bigint {
  const lengths = `${propertyId.length}.${address.length}.${agent.length}.${language.length}.`
  return BigInt(`0x${hash('sha256', salt + lengths + propertyId + address + agent + language).slice(0, 16)}`)
}

type VisitorDeps = Pick<Deps, 'config' | 'records' | 'facts' | 'log' | 'now' | 'randomBytes'>

async function openDay(deps: VisitorDeps, day: number): Promise<Day> {
  const { records, facts, now, randomBytes } = deps
  try {
    const salt = await getOrCreateSalt(records, day, randomBytes(16).toString('hex'))
    const before = await findSalt(records, day - 1)
    const carried =
      before === undefined ? new Map<bigint, number>() : await listActiveSince(facts, day - 1, now() - IDLE_MS)
    await removeSaltsBefore(records, day - 1)
    return { day, salt, saltBefore: before, carried, refreshedAt: now() }
  } catch (error) {
    throw error instanceof Problem
      ? error
      : new Problem('unavailable', 'The store of records does not answer.', { retryAfterSeconds: 5, cause: error })
  }
}

/** Drops what is over, and takes over what other nodes saw. */
async function refreshCarried({ facts, now, config }: VisitorDeps, day: Day): Promise<void> {
  const since = now() - IDLE_MS
  for (const [hash, lastMs] of day.carried) if (lastMs < since) day.carried.delete(hash)
  // With the facts in this process nobody else writes them.
  if (config.clickhouseUrls.length === 0) return
  for (const [hash, lastMs] of await listActiveSince(facts, day.day - 1, since)) {
    if (lastMs > (day.carried.get(hash) ?? 0)) day.carried.set(hash, lastMs)
  }
}

/** The days in use: today's, and for requests under way at midnight the one before. */
function openDays(deps: VisitorDeps) {
  let current: Day | undefined
  const opening = new Map<number, Promise<Day>>()
  let saltedAhead = 0

  const open = (day: number): Promise<Day> => {
    let pending = opening.get(day)
    if (!pending) {
      pending = openDay(deps, day)
        .then((opened) => {
          // A request that began before midnight must not bring yesterday back.
          if (!current || dayOf(deps.now()) === day) current = opened
          return opened
        })
        .finally(() => opening.delete(day))
      opening.set(day, pending)
    }
    return pending
  }

  const background = (work: Promise<unknown>, what: string): void => {
    work.catch((error: unknown) => deps.log.warn({ err: error }, what))
  }

  // In the first half hour another node may still be storing what it took before midnight; later an empty map stays empty.
  const mayCarry = (day: Day, nowMs: number): boolean => day.carried.size > 0 || nowMs - day.day * DAY_MS <= IDLE_MS

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
    /** Undefined until the first request of the day has opened it. */
    opened: () => current,
    /** Today, opened when it is not yet. A promise only then. */
    today(): Day | Promise<Day> {
      const nowMs = deps.now()
      const today = dayOf(nowMs)
      if (current?.day !== today) return open(today)
      tend(current, nowMs)
      return current
    },
  }
}

/** Whether the visitor of yesterday's session `hash` still carries on with it. */
function carriesOn(day: Day, hash: bigint, nowMs: number): boolean {
  const lastMs = day.carried.get(hash)
  return lastMs !== undefined && nowMs - lastMs <= IDLE_MS
}

/**
 * Each process counts on from a place of its own, anywhere in 32 bits: it never gives a number twice, and two that take views of one
 * session, at the same moment or after a restart, meet by one chance in four thousand million a pair.
 */
function viewNumbers(randomBytes: Deps['randomBytes']): () => number {
  let last = randomBytes(4).readUInt32BE()
  return () => {
    last = (last + 1) >>> 0
    return last
  }
}

export function openVisitors(deps: VisitorDeps): Visitors {
  const days = openDays(deps)
  const recent = new LRUCache<bigint, true>({ max: MAX_RECENT })
  return {
    nextView: viewNumbers(deps.randomBytes),

    async identify(propertyId, visitor) {
      const pending = days.today()
      const day = pending instanceof Promise ? await pending : pending
      if (day.saltBefore && day.carried.size > 0) {
        const before = sessionHash(day.saltBefore, propertyId, visitor)
        if (carriesOn(day, before, deps.now())) return { day: day.day - 1, hash: before }
      }
      return { day: day.day, hash: sessionHash(day.salt, propertyId, visitor) }
    },

    async isCurrent(session) {
      const day = await days.today()
      // A later day than today's is that of a node whose clock is a little ahead.
      if (session.day >= day.day) return true
      return session.day === day.day - 1 && carriesOn(day, session.hash, deps.now())
    },

    noteActivity(session) {
      recent.set(session.hash, true)
      const day = days.opened()
      if (day && session.day === day.day - 1) day.carried.set(session.hash, deps.now())
    },

    async exists(propertyId, session) {
      return recent.has(session.hash) || isStored(deps.facts, propertyId, session)
    },
  }
}
