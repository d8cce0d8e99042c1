// Limits clicks beyond what people make: of one address on one link, only so many a minute are stored one by
// one, and the rest as one row that counts them. Visitors are redirected in any case. Each process counts for
// itself: nobody who follows a link waits for a remote counter.
import { nowhere, type Enrich } from '../enrich/enrich.ts'
import { clientOf } from '../http/limits.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import type { ClickRow } from '../stores/tables.ts'
import { attempt, type Clicked } from './click-model.ts'

/**
 * Stored one by one: more than an office or a school behind one address clicks on a newsletter that has just
 * arrived.
 */
export const MOST_CLICKS = 60
const MINUTE_MS = 60_000
/** A flood is stored within this long after its minute. */
const STORE_EVERY_MS = 5_000
/**
 * Pairs of address and link: about 15 MB when full. Above it the oldest is dropped; a flood's row is stored
 * first.
 */
const MOST_COUNTERS = 100_000

interface Counted {
  readonly target: Clicked
  readonly address: string
  clicks: number
  lastMs: number
}

export interface FloodDeps extends Pick<Deps, 'log' | 'now'> {
  readonly enrich: Enrich
  /** Unsigned 64-bit, decimal. */
  readonly nextId: () => string
  /** Never throws. @param row of a flood whose minute is over. */
  readonly store: (row: ClickRow) => Promise<void>
}

export interface Floods {
  /**
   * Counts a click. True when it is one too many: it is counted in the row of its minute, and must not be
   * stored.
   */
  isFlood(target: Clicked, address: string, atMs: number): boolean
  /** Stores what has been counted so far, and stops the timer. */
  close(): Promise<void>
}

function floodRow({ enrich, nextId, log }: FloodDeps, { target, address, clicks, lastMs }: Counted): ClickRow {
  const failed = (error: unknown): void => log.warn({ err: error }, 'where a flood of clicks comes from is not known')
  const place = attempt(() => enrich.place(address), nowhere, failed)
  const day = dayText(dayOf(lastMs))
  return {
    property: target.group.propertyId,
    day,
    link_group: target.group.id,
    link: target.linkId,
    rule: '', // of all together no rule is known
    is_scan: 0,
    id: nextId(),
    at: lastMs,
    session_day: day,
    session: '0',
    destination: target.location,
    referrer_url: '',
    referrer_domain: '',
    country_code: place.country_code,
    country: place.country,
    region: place.region,
    city: place.city,
    network: place.as_name,
    browser: '',
    os: '',
    device: '',
    language: '',
    is_bot: 1,
    bot_name: '',
    bot_reason: 'flood',
    count: clicks - MOST_CLICKS,
  }
}

export function openFloods(deps: FloodDeps, mostCounters = MOST_COUNTERS): Floods {
  let minute = -1
  let counters = new Map<string, Counted>()

  const store = async (counted: Iterable<Counted>): Promise<void> => {
    const rows = [...counted].filter(({ clicks }) => clicks > MOST_CLICKS).map((one) => floodRow(deps, one))
    await Promise.all(rows.map((row) => deps.store(row)))
  }
  const storeAll = (): Promise<void> => {
    const over = counters
    counters = new Map()
    return store(over.values())
  }
  /** A minute that is over is stored. A clock that is set back also starts a new minute. */
  const turn = (atMs: number): void => {
    const current = Math.floor(atMs / MINUTE_MS)
    if (current === minute) return
    minute = current
    void storeAll()
  }
  const letOldestGo = (): void => {
    const [oldest] = counters
    if (!oldest) return
    counters.delete(oldest[0])
    void store([oldest[1]])
  }
  const timer = setInterval(() => turn(deps.now()), STORE_EVERY_MS)
  timer.unref()

  return {
    isFlood(target, address, atMs) {
      turn(atMs)
      const key = `${clientOf(address)} ${target.linkId}`
      const known = counters.get(key)
      if (!known && counters.size >= mostCounters) letOldestGo()
      const counted = known ?? { target, address, clicks: 0, lastMs: atMs }
      if (!known) counters.set(key, counted)
      counted.clicks++
      counted.lastMs = atMs
      return counted.clicks > MOST_CLICKS
    },
    async close() {
      clearInterval(timer)
      await storeAll()
    },
  }
}
