// Counts requests per minute: the public group by client address, authenticated endpoints by token; attempts
// to sign in over longer windows. In this process, or in Redis for several nodes; an absent Redis never
// refuses or delays a request.
import { isIPv6 } from 'node:net'
import type { Logger } from 'pino'

export const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1000
/**
 * About 20 MB when full. Above it the least recently raised low counter is dropped: counting cannot stop a
 * flood from more addresses.
 */
const MOST_COUNTERS = 200_000
/**
 * Keys with this count are dropped last: many invented keys must not push out those that are near a limit.
 */
const HIGH_FROM = 8
/** Above it a slow Redis would slow every answer; below it an ordinary pause would count as an outage. */
const REDIS_TIMEOUT_MS = 250
/** One warning a minute is noticed, and cannot fill a disk. */
const WARN_EVERY_MS = 60_000

/**
 * Counts one more for `key` in the current minute, or in the current window of another length; returns the
 * count.
 */
export type Count = (key: string, nowMs: number, windowMs?: number) => number | Promise<number>

export interface Limits {
  readonly count: Count
  /** Takes one back: the attempt that was counted in advance succeeded. */
  giveBack(key: string, nowMs: number, windowMs?: number): void | Promise<void>
  close(): Promise<void>
}

/** The counters of one length of windows. */
function countWindows(mostCounters: number, windowMs: number) {
  let window = -1
  let low = new Map<string, number>()
  let high = new Map<string, number>()
  const forgetOne = (): void => {
    const from = low.size > 0 ? low : high
    from.delete(from.keys().next().value ?? '')
  }
  return (key: string, nowMs: number, step: 1 | -1): number => {
    const current = Math.floor(nowMs / windowMs)
    if (current !== window) {
      window = current
      low = new Map()
      high = new Map()
    }
    const from = high.has(key) ? high : low
    const made = Math.max(0, (from.get(key) ?? 0) + step)
    const to = made >= HIGH_FROM ? high : low
    // Moved to the end: the least recently counted key is dropped first.
    if (!from.delete(key) && low.size + high.size >= mostCounters) forgetOne()
    to.set(key, made)
    return made
  }
}

type CountInProcess = (key: string, nowMs: number, windowMs?: number, step?: 1 | -1) => number

export function countInProcess(mostCounters = MOST_COUNTERS): CountInProcess {
  const minutes = countWindows(mostCounters, WINDOW_MS)
  const longer = new Map<number, ReturnType<typeof countWindows>>()
  return (key, nowMs, windowMs = WINDOW_MS, step = 1) => {
    if (windowMs === WINDOW_MS) return minutes(key, nowMs, step)
    const count = longer.get(windowMs) ?? countWindows(mostCounters, windowMs)
    longer.set(windowMs, count)
    return count(key, nowMs, step)
  }
}

/** Seconds until the counters start again, at least one. */
export function secondsLeft(nowMs: number, windowMs = WINDOW_MS): number {
  return Math.max(1, Math.ceil((windowMs - (nowMs % windowMs)) / 1000))
}

async function openRedisLimits(url: string, log: Logger): Promise<Limits> {
  const { Redis } = await import('ioredis') // only a node that shares its limits pays for loading it
  const alone = countInProcess()
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_TIMEOUT_MS,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  let warnedAt = -Infinity
  const warn = (error: Error): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ reason: error.message }, 'Redis is away: this node counts its rate limits alone')
  }
  redis.on('error', warn)
  const change = async (key: string, nowMs: number, windowMs: number, step: 1 | -1): Promise<number> => {
    const length = windowMs === WINDOW_MS ? '' : `${windowMs / 1000}:`
    const name = `footfall:limit:${length}${Math.floor(nowMs / windowMs)}:${key}`
    try {
      // One transaction, so that no counter remains without an expiry.
      const both = step === 1 ? redis.multi().incr(name) : redis.multi().decr(name)
      const answers = await both.expire(name, (windowMs / 1000) * 2).exec()
      const [failure, made] = answers?.[0] ?? []
      if (typeof made !== 'number') throw failure ?? new Error('no count came back')
      return made
    } catch (error) {
      warn(error as Error)
      return alone(key, nowMs, windowMs, step)
    }
  }
  return {
    count: (key, nowMs, windowMs = WINDOW_MS) => change(key, nowMs, windowMs, 1),
    giveBack: async (key, nowMs, windowMs = WINDOW_MS) => {
      await change(key, nowMs, windowMs, -1)
    },
    close: async () => redis.disconnect(),
  }
}

function openOwnLimits(): Limits {
  const count = countInProcess()
  return {
    count: (key, nowMs, windowMs) => count(key, nowMs, windowMs),
    giveBack: (key, nowMs, windowMs) => {
      count(key, nowMs, windowMs, -1)
    },
    close: async () => {},
  }
}

export async function openLimits(redisUrl: string | null, log: Logger): Promise<Limits> {
  return redisUrl === null ? openOwnLimits() : openRedisLimits(redisUrl, log)
}

/**
 * The client for limits: an IPv4 address, or the /64 network of an IPv6 one, all of which may belong to one
 * client.
 * @param address as plainAddress (kernel/addresses.ts) writes it.
 */
export function clientOf(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7)
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('%', 1)[0]!.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  // An IPv4 tail (::ffff:1.2.3.4) counts as two groups.
  const groupsAfter = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
  const gap = address.includes('::') ? Math.max(0, 8 - before.length - groupsAfter) : 0
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
