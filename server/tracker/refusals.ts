// Browser calls that a property refuses: counted in memory, written together every few seconds, and shown to
// the owner. However many there are, and whatever they contain, they cost a bounded number of rows.
import { dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { DailyCounts } from '../queues/daily-counts.ts'
import { addRefused, deleteRefusedBefore, listRefused, type RefusedRow } from './refusal-records.ts'

type Reason = RefusedRow['reason']

/** Named hosts per property and day, on each node; further ones are counted as ''. */
const MOST_HOSTS = 20
/** Counters that wait to be written. Above it, hosts are not told apart until the next write. */
const MOST_WAITING = 10_000
const KEPT_DAYS = 30
/** RFC 1035; a longer text is no host name. */
const MAX_HOST = 253
/** Rows shown. */
const SHOWN = 20

export interface RefusedCalls {
  readonly reason: Reason
  /** Null where the reason is not a host, and for hosts that are not named. */
  readonly host: string | null
  readonly calls: number
}

export interface Refusals {
  /** @param host of the page, for the reason `host`. */
  note(propertyId: string, reason: Reason, host?: string): void
  /** Since the beginning of that day, the most frequent first. */
  list(propertyId: string, sinceDay: number): Promise<RefusedCalls[]>
  /** @throws when the records are away; the counts are kept for the next time. */
  flush(): Promise<void>
  /** Writes the counts that wait. */
  close(): Promise<void>
}

/** Which hosts have a row of their own today. */
function openNames(): (day: number, propertyId: string, host: string) => string {
  let today = 0
  const names = new Map<string, Set<string>>()
  return (day, propertyId, host) => {
    if (day !== today) names.clear()
    today = day
    const known = names.get(propertyId) ?? new Set()
    names.set(propertyId, known)
    if (!known.has(host) && known.size >= MOST_HOSTS) return ''
    known.add(host)
    return host
  }
}

export function openRefusals({ records, now, log }: Pick<Deps, 'records' | 'now' | 'log'>): Refusals {
  const named = openNames()
  const counts = new DailyCounts<RefusedRow>({
    name: 'refused calls',
    keyOf: ({ property_id, day, reason, host }) => JSON.stringify([property_id, day, reason, host]),
    sum: (one, { calls }) => ({ ...one, calls: one.calls + calls }),
    add: (row) => addRefused(records, row),
    keptDays: KEPT_DAYS,
    deleteBefore: (day) => deleteRefusedBefore(records, day),
    now,
    log,
  })
  return {
    note(propertyId, reason, host = '') {
      const day = dayOf(now())
      const shown = host.length > MAX_HOST || counts.size >= MOST_WAITING ? '' : host && named(day, propertyId, host)
      counts.note({ property_id: propertyId, day, reason, host: shown, calls: 1 })
    },
    async list(propertyId, sinceDay) {
      await counts.flush()
      const rows = await listRefused(records, propertyId, { sinceDay, limit: SHOWN })
      return rows.map(({ reason, host, calls }) => ({ reason, host: host === '' ? null : host, calls }))
    },
    flush: () => counts.flush(),
    close: () => counts.close(),
  }
}
