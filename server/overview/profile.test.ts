// What a running bucket comes to, by the hours of the weeks before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { growthOf, HOUR_MS, type HourCount, isFarEnough, profileOf, profileSpan } from './profile.ts'

/** A Friday. */
const TODAY = Date.parse('2026-11-20T00:00:00Z')
const span = profileSpan(TODAY + 5 * HOUR_MS)
const hourOf = (text: string): number => Date.parse(`${text}:00:00Z`) / HOUR_MS
const hour = (text: string, sessions: number): HourCount => ({ hour: hourOf(text), sessions })
/** Today, looked at then. */
const today = (time: string) => ({
  fromMs: TODAY,
  toMs: TODAY + 24 * HOUR_MS,
  nowMs: Date.parse(`2026-11-20T${time}:00Z`),
})

test('the four weeks before today are looked at, and no more of a longer window', () => {
  assert.deepEqual(span, { fromMs: Date.parse('2026-10-23T00:00:00Z'), toMs: TODAY })
})

test('a day goes on as the same weekday does', () => {
  const profile = profileOf(
    [
      hour('2026-10-23T03', 1),
      // Fridays: a fifth of the sessions in the morning. Thursdays: all of them in the evening.
      ...['2026-10-30', '2026-11-06', '2026-11-13'].flatMap((day) => [hour(`${day}T05`, 10), hour(`${day}T20`, 40)]),
      ...['2026-11-05', '2026-11-12'].map((day) => hour(`${day}T22`, 90)),
    ],
    span,
  )
  assert.equal(growthOf(profile, today('12:00')), 5)
  assert.equal(growthOf(profile, today('21:00')), 1)
  assert.equal(growthOf(profile, today('20:30')), 50 / 30)
})

test('a weekday without a history of its own goes by all days, and without any by the length', () => {
  const others = ['2026-11-09', '2026-11-10', '2026-11-11'].flatMap((day) => [
    hour(`${day}T01`, 10),
    hour(`${day}T23`, 30),
  ])
  const sparse = hour('2026-11-13T12', 3)
  assert.equal(
    growthOf(profileOf([...others, sparse], span), today('06:00')).toFixed(2),
    ((20 + 60 + 3) / 20).toFixed(2),
  )
  for (const hours of [[], [sparse]]) assert.equal(growthOf(profileOf(hours, span), today('06:00')), 4)
})

test('the first day with sessions says nothing: tracking may have begun in the middle of it', () => {
  const profile = profileOf([hour('2026-11-13T20', 500)], span)
  assert.equal(growthOf(profile, today('12:00')), 2)
})

test('where nobody was to be expected until now, the length decides', () => {
  const profile = profileOf([hour('2026-11-01T00', 1), hour('2026-11-13T20', 500)], span)
  assert.equal(growthOf(profile, today('12:00')), 2)
})

test('an hour goes on evenly', () => {
  const profile = profileOf([hour('2026-11-01T00', 1), hour('2026-11-13T12', 500)], span)
  const from = Date.parse('2026-11-20T12:00:00Z')
  assert.equal(growthOf(profile, { fromMs: from, toMs: from + HOUR_MS, nowMs: from + HOUR_MS / 4 }), 4)
})

test('a bucket never comes to less than it has, however strange the history', () => {
  const hours = fc.array(
    fc.record({
      hour: fc.integer({ min: span.fromMs / HOUR_MS, max: span.toMs / HOUR_MS - 1 }),
      sessions: fc.nat(1000),
    }),
  )
  fc.assert(
    fc.property(hours, fc.integer({ min: 1, max: 24 * 3600 - 1 }), (given, second) => {
      const growth = growthOf(profileOf(given, span), { ...today('00:00'), nowMs: TODAY + second * 1000 })
      assert.ok(Number.isFinite(growth) && growth >= 1 - 1e-9, String(growth))
    }),
  )
})

test('nothing is projected from less than a quarter of a bucket, nor from one that is over', () => {
  assert.deepEqual(
    ['05:59', '06:00', '23:59'].map((time) => isFarEnough(today(time))),
    [false, true, true],
  )
  assert.equal(isFarEnough({ ...today('00:00'), nowMs: TODAY + 24 * HOUR_MS }), false)
})
