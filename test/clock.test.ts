// The clock of the tests is far from midnight, wherever somebody lives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noonClock } from './support/clock.ts'

/** Of all tests together, on a slow machine: files that one process runs share the clock. */
const LONGEST_MS = 50 * 60_000

test('for as long as a whole run takes, no midnight comes in any time zone', () => {
  const beganMs = noonClock()
  const zones = Intl.supportedValuesOf('timeZone')
  assert.ok(zones.length > 400)
  const crossed = zones.filter((timeZone) => {
    const days = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' })
    return days.format(beganMs) !== days.format(beganMs + LONGEST_MS)
  })
  assert.deepEqual(crossed, [])
})
