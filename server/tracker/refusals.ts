// Browser calls that a property refuses: counted in memory, written together every few seconds, and shown to
// the owner. However many there are, and whatever they contain, they cost a bounded number of rows.
import { dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { isPaused } from '../kernel/paused.ts'
import { addRefused, deleteRefusedBefore, listRefused, type RefusedRow } from './refusal-records.ts'

type Reason = RefusedRow['reason']

/** Nobody waits for it, and the tracking check of this node writes before it reads. */
const FLUSH_MS = 5_000
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

function addTo(waiting: Map<string, RefusedRow>, row: RefusedRow): void {
  const key = JSON.stringify([row.property_id, row.day, row.reason, row.host])
  const known = waiting.get(key)
  waiting.set(key, known ? { ...known, calls: known.calls + row.calls } : row)
}

/** While writes are paused, those of the last seconds are missing in what is shown. */
function unlessPaused(error: unknown): void {
  if (!isPaused(error)) throw error
}

export function openRefusals({ records, now, log }: Pick<Deps, 'records' | 'now' | 'log'>): Refusals {
  let waiting = new Map<string, RefusedRow>()
  let timer: NodeJS.Timeout | undefined
  let lastDay = 0
  let last: Promise<void> = Promise.resolve()
  const named = openNames()

  async function write(): Promise<void> {
    const rows = [...waiting.values()]
    waiting = new Map()
    const today = dayOf(now())
    if (rows.length > 0 && today !== lastDay) {
      await deleteRefusedBefore(records, today - KEPT_DAYS).catch(() => undefined)
      lastDay = today
    }
    for (const [index, row] of rows.entries()) {
      try {
        await addRefused(records, row)
      } catch (error) {
        for (const unwritten of rows.slice(index)) addTo(waiting, unwritten)
        throw error
      }
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const run = last.then(write)
    last = run.catch(() => undefined)
    return run
  }

  const flushSoon = (): void => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        log.warn({ err: error }, 'writing down refused calls failed')
        flushSoon()
      })
    }, FLUSH_MS).unref()
  }

  return {
    note(propertyId, reason, host = '') {
      const day = dayOf(now())
      const shown = host.length > MAX_HOST || waiting.size >= MOST_WAITING ? '' : host && named(day, propertyId, host)
      addTo(waiting, { property_id: propertyId, day, reason, host: shown, calls: 1 })
      flushSoon()
    },
    async list(propertyId, sinceDay) {
      await flush().catch(unlessPaused)
      const rows = await listRefused(records, propertyId, { sinceDay, limit: SHOWN })
      return rows.map(({ reason, host, calls }) => ({ reason, host: host === '' ? null : host, calls }))
    },
    flush,
    close: flush,
  }
}
