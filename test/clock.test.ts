// The clock of the tests is far from midnight, wherever somebody lives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../server/kernel/days.ts'

/** Of all tests together, on a slow machine: files that one process runs share the clock. */
const LONGEST_MS = 50 * 60_000

test('for as long as a whole run takes, no midnight comes in any time zone', async () => {
  // One of its own: that of this process may have begun long ago.
  const beforeMs = Date.now()
  const clock: typeof import('./support/clock.ts') = await import(`./support/clock.ts?at=${beforeMs}`)
  const nowMs = clock.noonClock()
  const tookMs = Date.now() - beforeMs
  const beganMs = nowMs - (nowMs % DAY_MS) + clock.BEGINS_MS
  assert.ok(nowMs >= beganMs && nowMs <= beganMs + tookMs, `${nowMs - beganMs} ms on, after ${tookMs} ms`)
  const zones = Intl.supportedValuesOf('timeZone')
  assert.ok(zones.length > 400)
  const crossed = zones.filter((timeZone) => {
    const days = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' })
    return days.format(beganMs) !== days.format(beganMs + LONGEST_MS)
  })
  assert.deepEqual(crossed, [])
})
