// Which sessions have a page view, from memory or from the facts. However many ids are asked for, forged or
// not, the facts get one query at a time.
import type { Deps } from '../kernel/deps.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { lastUsed } from '../kernel/last-used.ts'
import { openLoader } from '../queues/loader.ts'
import { listStored, sessionText } from './facts.ts'

/** Ids that need no query: about 10 MB. */
const MAX_STORED = 50_000
/** About 2 MB; further ones are queried again. */
const MAX_ABSENT = 10_000
/** How long it takes to see a session that began on another node. */
const ABSENT_MS = 3_000
/** Between two queries: a query costs milliseconds of the processor, for one session as for hundreds. */
const PACE_MS = 20

export interface Existing {
  /** Without asking the facts. */
  isKnown(session: SessionRef): boolean
  has(propertyId: string, session: SessionRef): Promise<boolean>
  /** Must be called when something of the session is stored on this node. */
  add(session: SessionRef): void
}

/** A hash belongs to one property and day, so it identifies the session. */
export function openExisting({ facts, now }: Pick<Deps, 'facts' | 'now'>, paceMs = PACE_MS): Existing {
  const stored = lastUsed<bigint, true>(MAX_STORED)
  const absent = lastUsed<bigint, number>(MAX_ABSENT)
  const loader = openLoader<true>({
    load: (texts) => listStored(facts, texts),
    begin: now,
    loaded: () => {},
    failed: () => undefined,
    paceMs,
  })

  const isKnownAbsent = (hash: bigint): boolean => {
    const askedMs = absent.get(hash)
    // A clock that was set back must not extend the age of an entry.
    return askedMs !== undefined && Math.abs(now() - askedMs) <= ABSENT_MS
  }

  return {
    isKnown: ({ hash }) => stored.has(hash),
    async has(propertyId, session) {
      const { hash } = session
      if (stored.has(hash)) return true
      if (isKnownAbsent(hash)) return false
      const askedMs = now()
      const isFound = (await loader.ask(sessionText(propertyId, session))) !== undefined
      if (isFound) stored.set(hash, true)
      // It may have been stored while the facts were queried.
      if (stored.has(hash)) return true
      absent.set(hash, askedMs)
      return false
    },
    // Set before the negative cache is cleared: look-ups read it first.
    add({ hash }) {
      stored.set(hash, true)
    },
  }
}
