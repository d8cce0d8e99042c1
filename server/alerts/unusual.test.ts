// When an hour is unusual: nearly never over a year of usual traffic, and at once when something happens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spreadOverDays } from '../demo/calendar.ts'
import { visitsOf } from '../demo/traffic.ts'
import { wallOf } from '../kernel/zones.ts'
import { HOUR_MS, hoursBefore } from './hours.ts'
import { unusual, WEEKS } from './unusual.ts'

const HOURS_A_WEEK = 7 * 24

/** The same numbers each time (Lehmer). */
function openChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/**
 * Distributed as counts are, with the spread of a day that is better or worse than others (Box and Muller).
 */
function counted(mean: number, chance: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance())
  return Math.max(0, Math.round(mean + Math.sqrt(mean + (0.12 * mean) ** 2) * normal))
}

/** Hour by hour: days and nights, weekends, growth by half in a year, a weak summer and Christmas. */
function yearOf(mean: number, seed: number): number[] {
  const chance = openChance(seed)
  return Array.from({ length: 365 * 24 }, (_, hour) => {
    const day = Math.floor(hour / 24)
    const ofDay = 1 + 0.8 * Math.sin(((hour % 24) - 9) * (Math.PI / 12))
    const ofWeek = day % 7 >= 5 ? 0.6 : 1.15
    const ofYear = (1 + day / 730) * (day > 195 && day < 240 ? 0.8 : 1) * (day > 355 ? 0.75 : 1)
    return counted(mean * ofDay * ofWeek * ofYear, chance)
  })
}

const judged = (hours: readonly number[], at: number) =>
  unusual(
    hours[at]!,
    Array.from({ length: WEEKS }, (_, week) => hours[at - (week + 1) * HOURS_A_WEEK]!),
  )

test('a year of usual traffic raises almost none, however large the site', () => {
  const raised = [3, 30, 300, 3_000, 30_000].map((mean, index) => {
    const hours = yearOf(mean, index + 1)
    return hours.filter((_, at) => at >= WEEKS * HOURS_A_WEEK && judged(hours, at)).length
  })
  assert.ok(Math.max(...raised) <= 2, `raised in a year of 7,416 hours: ${raised.join(', ')}`)
})

/** Sessions, and sessions with something in the cart, in each hour of the year of `npm run demo`. */
function demoYear(): { sessions: number[]; conversions: number[] } {
  const nowMs = Date.UTC(2026, 10, 20)
  const days = spreadOverDays({ sessions: 200_000, days: 365, seed: 1, nowMs })
  const firstHour = days[0]!.day * 24
  const counts = { sessions: Array<number>(365 * 24).fill(0), conversions: Array<number>(365 * 24).fill(0) }
  for (const day of days)
    for (const { isRobot, views, events } of visitsOf(day, 1, nowMs)) {
      if (isRobot) continue
      const hour = Math.floor(views[0]!.atMs / HOUR_MS) - firstHour
      counts.sessions[hour]! += 1
      if (events.some(({ name }) => name === 'cart_add')) counts.conversions[hour]! += 1
    }
  return counts
}

test('the year of demo traffic raises almost none, and a flood in it one', () => {
  const { sessions, conversions } = demoYear()
  // Of the last day only the hours until now have traffic.
  const hours = Array.from({ length: 364 * 24 - WEEKS * HOURS_A_WEEK }, (_, index) => WEEKS * HOURS_A_WEEK + index)
  const raisedBy = (counts: readonly number[]) => hours.filter((at) => judged(counts, at)).length
  assert.ok(raisedBy(sessions) <= 2, `sessions: ${raisedBy(sessions)} of ${hours.length} hours`)
  assert.equal(raisedBy(conversions), 0)
  const noon = (364 - 30) * 24 + 12
  assert.equal(judged(sessions.with(noon, 200), noon)?.count, 200)
})

test('an outage, a flood of visitors and the end of one are unusual at once', () => {
  for (const mean of [120, 300, 3_000]) {
    const hours = yearOf(mean, 7)
    const noon = 100 * 24 + 15
    for (const [count, isUnusual] of [
      [0, true],
      [Math.round(hours[noon]! * 0.2), true],
      [Math.round(hours[noon]! * 0.8), false],
      [Math.round(hours[noon]! * 1.2), false],
      [hours[noon]! * 4, true],
    ] as const) {
      const found = judged(hours.with(noon, count), noon)
      assert.equal(found !== undefined, isUnusual, `${count} in place of ${hours[noon]}`)
      if (found) assert.equal(found.count, count)
    }
  }
})

test('small numbers, few weeks and what is between half and double are never unusual', () => {
  const before = fc.array(fc.nat(100_000), { minLength: 0, maxLength: WEEKS })
  fc.assert(
    fc.property(fc.nat(200_000), before, (count, weeks) => {
      const found = unusual(count, weeks)
      if (weeks.length < 4) return assert.equal(found, undefined)
      const sorted = weeks.toSorted((one, other) => one - other)
      const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!]
      if (Math.max(count, high) < 50) assert.equal(found, undefined)
      if (count > high / 2 && count < low * 2) assert.equal(found, undefined)
    }),
  )
  assert.deepEqual(unusual(400, [100, 100, 100, 100]), { count: 400, usual: 100 })
  assert.equal(unusual(400, [100, 100, 100]), undefined)
})

test('hours are full ones of the clock, on the same weekday, and never overlap', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Cairo']
  const moment = fc.date({ min: new Date('2012-06-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, fc.constantFrom(...zones), (date, zone) => {
      const hours = hoursBefore(zone, date.getTime())
      assert.equal(hours.length, WEEKS + 1)
      assert.ok(hours[0].toMs <= date.getTime())
      for (const [index, { fromMs, toMs }] of hours.entries()) {
        assert.ok(toMs >= fromMs && toMs - fromMs <= 2 * HOUR_MS)
        const next = hours[index + 1]
        if (next) assert.ok(next.toMs < fromMs)
        if (toMs > fromMs) assert.equal(Math.floor(wallOf(zone, fromMs) / 60_000) % 30, 0)
      }
    }),
  )
  assert.deepEqual(hoursBefore('Europe/Berlin', Date.UTC(2026, 10, 24, 12, 30))[0], {
    fromMs: Date.UTC(2026, 10, 24, 11),
    toMs: Date.UTC(2026, 10, 24, 12),
  })
})
