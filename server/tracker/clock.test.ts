import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../kernel/days.ts'
import { openClockWatch } from './clock.ts'

const HOUR = 3_600_000
const noon = Date.UTC(2026, 2, 1, 12)

/** What the watch says at each of these distances from noon, in hours. */
const answersAt = (...hours: number[]) => {
  const isCredible = openClockWatch()
  return hours.map((hour) => isCredible(noon + hour * HOUR))
}

test('at the start, from day to day and when it is set back, the clock is believed', () => {
  assert.deepEqual(answersAt(0, 1, 11, 12, 13, 36), [true, true, true, true, true, true])
  assert.deepEqual(answersAt(0, -24 * 10, -24 * 10 + 1), [true, true, true])
})

test('after days that were left out it is not, for an hour or until it goes on in the ordinary way', () => {
  assert.deepEqual(answersAt(0, 48, 48.9, 49, 49.1), [true, false, false, true, true])
  assert.deepEqual(answersAt(0, 59, 60, 60.1), [true, false, true, true])
  assert.deepEqual(answersAt(0, 48, 1, 2), [true, false, true, true])
  assert.deepEqual(answersAt(0, 48, 48 + (3 * DAY_MS) / HOUR, 120.5), [true, false, false, false])
})
