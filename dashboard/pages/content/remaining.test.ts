// How long a test still takes: examples by hand, and what holds whatever came.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysLeft } from './remaining.ts'

const DAY = 86_400
const phase = { number: 1, started_ts: 0, ended_ts: null, is_current: true }
const version = (n: number, goals: number) => ({
  n,
  goals,
  rate: n === 0 ? null : goals / n,
  weight: 1,
  chance_to_win: null,
})

test('until there is enough, the slowest version decides, or the goals', () => {
  const ask = (...versions: ReturnType<typeof version>[]) =>
    daysLeft({ has_enough_data: false, phase, versions }, 5 * DAY)
  // 20 a day and 10 a day: 50 are lacking of the second.
  assert.equal(ask(version(100, 20), version(50, 10)), 5)
  // 100 of each, but 4 goals in five days: six are lacking, at 0.8 a day.
  assert.equal(ask(version(200, 3), version(200, 1)), 8)
  assert.equal(ask(version(0, 0), version(0, 0)), undefined)
  assert.equal(ask(version(50, 5)), undefined, 'one version alone is no test')
})

test('until it is certain, the difference of the two best decides', () => {
  const ask = (...versions: ReturnType<typeof version>[]) =>
    daysLeft({ has_enough_data: true, phase, versions }, 10 * DAY)
  // 10% and 12%: 16 · 0.11 · 0.89 / 0.02² = 3,916 of each; 1,000 in ten days: 29.2 more days.
  assert.equal(ask(version(1000, 100), version(1000, 120)), 30)
  assert.equal(ask(version(1000, 100), version(1000, 100)), undefined, 'no difference is never certain')
})

test('it is a whole number from a day to a year, or not told', () => {
  const counts = fc.nat(100_000).chain((n) => fc.nat(n).map((goals) => version(n, goals)))
  fc.assert(
    fc.property(
      fc.array(counts, { maxLength: 5 }),
      fc.boolean(),
      fc.nat(1000 * DAY),
      (versions, has_enough_data, now) => {
        const left = daysLeft({ has_enough_data, phase, versions }, now)
        assert.ok(left === undefined || (Number.isInteger(left) && left >= 1 && left <= 365))
      },
    ),
  )
})
