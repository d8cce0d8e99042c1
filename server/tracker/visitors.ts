// Recognises visitors without cookies: the day's salt, the session of a visitor, and sessions that continue
// over midnight. Two nodes with the same stores give a visitor the same session; after a day nobody can find
// the visitor of a session.
import { hash } from 'node:crypto'
import type { Deps } from '../kernel/deps.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { carriesOn, openDays, type DayDeps } from './days.ts'
import { openExisting } from './existing.ts'
import { isMeasured } from './measured-facts.ts'

/** What tells one visitor from another: all three as the browser sent them. */
export interface Visitor {
  readonly address: string
  readonly agent: string
  readonly language: string
}

export interface Visitors {
  /**
   * The session that the visitor's activity belongs to, whether or not anything of it is stored.
   * @param atMs when it happened; now when left out. A caller that stores the time passes it on: reading the
   * clock again might give the next day.
   */
  identify(propertyId: string, visitor: Visitor, atMs?: number): Promise<SessionRef>
  /** False for a session whose day is over, unless it continues from yesterday. */
  isCurrent(session: SessionRef): Promise<boolean>
  /** Must be called after each stored activity of the visitor's browser. */
  noteActivity(session: SessionRef): void
  /** Whether a page view of the session is stored. */
  exists(propertyId: string, session: SessionRef): Promise<boolean>
  /** The salts of two days are kept, whether or not anybody visits. */
  removeOldSalts(): Promise<void>
  /** A number for a new view: unsigned 32-bit, unique within its session. */
  nextView(): number
}

/**
 * 64 bits of a keyed hash; each part is preceded by its length, so that no two visitors share an input. The
 * salt comes first and has a fixed length; only a quarter of the digest is ever shown, so nothing can be
 * appended to the input. That is as good as the HMAC of mac() here, in a sixth of its time.
 */
export function sessionHash(salt: string, propertyId: string, { address, agent, language }: Visitor): bigint {
  const lengths = `${propertyId.length}.${address.length}.${agent.length}.${language.length}.`
  return BigInt(`0x${hash('sha256', salt + lengths + propertyId + address + agent + language).slice(0, 16)}`)
}

/**
 * Each process starts at a random number of 32 bits and counts from there: it never gives a number twice, and
 * two that take views of one session, at the same moment or after a restart, collide with a chance of one in
 * four thousand million per pair.
 */
function viewNumbers(randomBytes: Deps['randomBytes']): () => number {
  let last = randomBytes(4).readUInt32BE()
  return () => {
    last = (last + 1) >>> 0
    return last
  }
}

export function openVisitors(deps: DayDeps): Visitors {
  const days = openDays(deps)
  const existing = openExisting(deps)
  return {
    nextView: viewNumbers(deps.randomBytes),

    async identify(propertyId, visitor, atMs = deps.now()) {
      const pending = days.dayAt(atMs)
      const day = pending instanceof Promise ? await pending : pending
      if (day.saltBefore && day.carried.size > 0) {
        const before = sessionHash(day.saltBefore, propertyId, visitor)
        if (carriesOn(day, before, atMs)) return { day: day.day - 1, hash: before }
      }
      return { day: day.day, hash: sessionHash(day.salt, propertyId, visitor) }
    },

    async isCurrent(session) {
      const day = await days.dayAt(deps.now())
      // A day later than today's comes from a node whose clock is slightly ahead.
      if (session.day >= day.day) return true
      return session.day === day.day - 1 && carriesOn(day, session.hash, deps.now())
    },

    noteActivity(session) {
      existing.add(session)
      days.carriedFrom(session.day)?.set(session.hash, deps.now())
    },

    async exists(propertyId, session) {
      // In a property without page views there is none to look for.
      if (!existing.isKnown(session) && !(await isMeasured(deps.facts, { propertyId, atMs: deps.now() })))
        return existing.isKnown(session)
      return existing.has(propertyId, session)
    },
    removeOldSalts: () => days.removeOldSalts(),
  }
}
