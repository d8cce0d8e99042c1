// Clocks on the wall: what an instant reads in a time zone, and when a day, a month or an hour of it begins.
// The rules come from the IANA time zone database that Node carries (ICU). An instant is in milliseconds
// since the Unix epoch; what a clock reads is the instant at which a clock in UTC reads the same.
import { DAY_MS, dayOf } from './days.ts'

export const UTC = 'UTC'

/** Each takes tens of kilobytes: that of the zone which was added first makes room. */
const MOST_CLOCKS = 64
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const [first] = clocks.keys()
  if (clocks.size >= MOST_CLOCKS && first !== undefined) clocks.delete(first)
  clocks.set(zone, clock)
  return clock
}

/** Longer than the longest name of the database. */
const MAX_NAME = 64

/** True for the name of a time zone, like `Europe/Berlin`; an offset like `+01:00` is none. */
export function isZone(name: string): boolean {
  if (name.length > MAX_NAME || !/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}

/** How far the zone's clocks are ahead of UTC at an instant; negative in the west. */
export function offsetAt(zone: string, atMs: number): number {
  if (zone === UTC) return 0
  const [month, day, year, hour, minute, second] = clockOf(zone).format(atMs).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

/** What the zone's clocks read at an instant. */
export const wallOf = (zone: string, atMs: number): number => atMs + offsetAt(zone, atMs)

/** The same at the beginning of a day is its midnight, also where the clocks skip it. */
export function clockAt(zone: string, atMs: number): number {
  const wallMs = wallOf(zone, atMs)
  const midnightMs = dayOf(wallMs) * DAY_MS
  return dayBegin(zone, dayOf(wallMs)) === atMs ? midnightMs : wallMs
}

/** Further than any two clocks on Earth are apart. */
const MOST_OFFSET_MS = 1.5 * DAY_MS

/**
 * The first instant at which the zone's clocks read the given time. Where they are set forward over it, the
 * instant at which they are: so a later reading never has an earlier instant.
 */
export function instantOf(zone: string, wallMs: number): number {
  if (zone === UTC) return wallMs
  const before = wallMs - offsetAt(zone, wallMs - MOST_OFFSET_MS)
  const after = wallMs - offsetAt(zone, wallMs + MOST_OFFSET_MS)
  const found = [before, after].filter((atMs) => wallOf(zone, atMs) === wallMs)
  return found.length > 0 ? Math.min(...found) : changeWithin(zone, Math.min(before, after), Math.max(before, after))
}

/** When the clocks are set between two instants: the first one of the new time. */
function changeWithin(zone: string, fromMs: number, toMs: number): number {
  const old = offsetAt(zone, fromMs)
  let [low, high] = [fromMs, toMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle) === old) low = middle
    else high = middle
  }
  return high
}

/** When the zone's day begins, which may be a midnight that its clocks skip. @param day as `dayOf` counts. */
export const dayBegin = (zone: string, day: number): number => instantOf(zone, day * DAY_MS)

/**
 * The day that an instant is on in the zone. Where clocks are set back over midnight, the new day has begun
 * for good with its first midnight.
 */
export function dayIn(zone: string, atMs: number): number {
  const day = dayOf(wallOf(zone, atMs))
  return dayBegin(zone, day + 1) <= atMs ? day + 1 : day
}
