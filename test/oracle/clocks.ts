// What clocks read in a time zone, by docs/definitions.md ("Time zones"): by asking for the time at every
// quarter of an hour around.
import { DAY, HOUR } from './hits.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-23 14:05:06`, as a time of UTC. */
export function clockOf(zone: string, at: number): number {
  if (zone === 'UTC') return at
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(zone, format)
  const second = Math.floor(at / 1000) * 1000
  return Date.parse(`${format.format(second).replace(' ', 'T')}Z`) + at - second
}

/** The date there, as its beginning in UTC. */
export const dateOf = (zone: string, at: number): number => Math.floor(clockOf(zone, at) / DAY) * DAY

const known = new Map<string, number>()

/** The first time at which a clock there reads so, or later where it never does. */
export function instantOf(zone: string, clock: number): number {
  if (zone === 'UTC') return clock
  const key = `${zone} ${clock}`
  const at = known.get(key) ?? search(zone, clock)
  known.set(key, at)
  return at
}

function search(zone: string, clock: number): number {
  let at = clock - 15 * HOUR
  while (clockOf(zone, at) < clock) at += HOUR / 4
  if (clockOf(zone, at) === clock) return at
  at -= HOUR / 4 // clocks were set forward over it: at which second?
  while (clockOf(zone, at) < clock) at += 1000
  return at
}
