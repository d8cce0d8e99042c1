// Who is calling, without cookies: the day's salt, the session of a visitor, and the sessions that carry on over midnight.
// Two nodes with the same stores give a visitor the same session; after a day nobody can find the visitor of a session.
import { hash } from 'node:crypto'
import type { Deps } from '../kernel/deps.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { carriesOn, openDays, type DayDeps } from './days.ts'
import { openExisting } from './existing.ts'

/** What tells one visitor from another: all three as the browser sent them. */
export interface Visitor {
  readonly address: string
  readonly agent: string
  readonly language: string
}

export interface Visitors {
  /**
   * The session that the visitor's activity belongs to; whether anything is stored of it is another question.
   * @param atMs when it happened; now when left out. Whoever stores the time hands it on: another reading of the clock may be of the next day.
   */
  identify(propertyId: string, visitor: Visitor, atMs?: number): Promise<SessionRef>
  /** False for a session whose day is over, unless it carries on from yesterday. */
  isCurrent(session: SessionRef): Promise<boolean>
  /** To be told after each stored activity of the visitor's browser. */
  noteActivity(session: SessionRef): void
  /** Whether a page view of the session is stored. */
  exists(propertyId: string, session: SessionRef): Promise<boolean>
  /** Two days of salts are kept, whether or not anybody visits. */
  removeOldSalts(): Promise<void>
  /** A number for a new view: unsigned 32-bit, unique within its session. */
  nextView(): number
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
      // A later day than today's is that of a node whose clock is a little ahead.
      if (session.day >= day.day) return true
      return session.day === day.day - 1 && carriesOn(day, session.hash, deps.now())
    },

    noteActivity(session) {
      existing.add(session)
      days.carriedFrom(session.day)?.set(session.hash, deps.now())
    },

    exists: (propertyId, session) => existing.has(propertyId, session),
    removeOldSalts: () => days.removeOldSalts(),
  }
}
