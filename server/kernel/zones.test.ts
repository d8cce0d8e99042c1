// Windows and buckets by the clocks of all time zones, around every change of them in ten years.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { assertTiled, bucketsIn, relativePeriods } from '../../test/support/windows.ts'
import { bucketsOf, type Interval } from './buckets.ts'
import { DAY_MS, dayText } from './days.ts'
import { Problem } from './problem.ts'
import { parseWindow, precedingSpan, sameDistance, type Window, yearBefore } from './window.ts'
import { dayBegin, dayIn, instantOf, isZone, offsetAt, wallOf } from './zones.ts'

const at = (text: string) => Date.parse(text)
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const zones = Intl.supportedValuesOf('timeZone')
const [FIRST_MS, LAST_MS] = [at('2019-01-01T00:00:00Z'), at('2029-01-01T00:00:00Z')]
/** No zone sets its clocks twice within it. */
const STEP_MS = 5 * DAY_MS

interface Change {
  readonly zone: string
  /** The first instant of the new time. */
  readonly atMs: number
  readonly old: number
  readonly fresh: number
}

function changesOf(zone: string): Change[] {
  const changes: Change[] = []
  let old = offsetAt(zone, FIRST_MS)
  for (let endMs = FIRST_MS + STEP_MS; endMs < LAST_MS; endMs += STEP_MS) {
    const fresh = offsetAt(zone, endMs)
    if (fresh === old) continue
    let atMs = endMs - STEP_MS
    for (let step = STEP_MS / 2; step >= 1; step = Math.floor(step / 2))
      while (offsetAt(zone, atMs + step) === old) atMs += step
    changes.push({ zone, atMs: atMs + 1, old, fresh })
    old = fresh
  }
  return changes
}

const changes = zones.flatMap(changesOf)
const explained = ({ zone, atMs }: { zone: string; atMs: number }) => `${zone} ${new Date(atMs).toISOString()}`

const anyChange = fc.constantFrom(...changes)
/** Around a change more often than not. */
const anyMoment = fc.oneof(
  fc
    .tuple(anyChange, fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }))
    .map(([{ zone, atMs }, byMs]) => ({ zone, atMs: atMs + byMs })),
  fc.record({ zone: fc.constantFrom(...zones), atMs: fc.integer({ min: FIRST_MS, max: LAST_MS }) }),
)
const anyWindow = anyMoment.chain(({ zone: timezone, atMs }) =>
  fc.oneof(
    fc.constantFrom(...relativePeriods).map((period) => parseWindow({ period, timezone }, atMs)),
    fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3 })).map(([length, ahead]) => {
      const last = dayIn(timezone, atMs) + ahead
      const dates = { date_from: dayText(last - length), date_to: dayText(last) }
      return parseWindow({ period: 'custom', timezone, ...dates }, atMs)
    }),
  ),
)
const anyBuckets = bucketsIn(anyWindow)

test('ten years have clock changes of every kind: of an hour, of less, of more, and over midnight', () => {
  assert.ok(changes.length > 1500, String(changes.length))
  const by = new Set(changes.map(({ old, fresh }) => fresh - old))
  for (const ms of [HOUR_MS, -HOUR_MS, HOUR_MS / 2, -HOUR_MS / 2, 3 * HOUR_MS]) assert.ok(by.has(ms), String(ms))
  const isOverMidnight = ({ zone, atMs }: Change) => dayIn(zone, atMs) !== dayIn(zone, atMs - 1)
  assert.ok(changes.some(isOverMidnight))
})

test('a day begins with the first moment at which its clocks show its date, and none lies in two', () => {
  for (const change of changes) {
    const { zone, atMs } = change
    for (let day = dayIn(zone, atMs) - 1; day <= dayIn(zone, atMs) + 1; day++) {
      const beginMs = dayBegin(zone, day)
      assert.ok(wallOf(zone, beginMs) >= day * DAY_MS, explained(change))
      assert.ok(wallOf(zone, beginMs - 1) < day * DAY_MS, explained(change))
      assert.deepEqual([dayIn(zone, beginMs - 1), dayIn(zone, beginMs)], [day - 1, day], explained(change))
      const hours = (dayBegin(zone, day + 1) - beginMs) / HOUR_MS
      assert.ok(hours >= 21 && hours <= 27, explained(change))
    }
  }
})

test('clocks that are set forward skip a time, which is then the moment of the change', () => {
  for (const change of changes.filter(({ old, fresh }) => fresh > old)) {
    const { zone, atMs, old, fresh } = change
    const skipped = atMs + (old + fresh) / 2
    assert.equal(instantOf(zone, skipped), atMs, explained(change))
    assert.equal(instantOf(zone, atMs + fresh), atMs, explained(change))
  }
})

test('of a time that comes twice the first one is meant, and a later time never lies earlier', () => {
  for (const change of changes.filter(({ old, fresh }) => fresh < old)) {
    const { zone, atMs, old } = change
    assert.equal(instantOf(zone, atMs - MINUTE_MS + old), atMs - MINUTE_MS, explained(change))
  }
  fc.assert(
    fc.property(anyMoment, fc.integer({ min: 0, max: 2 * DAY_MS }), ({ zone, atMs }, later) => {
      const wall = wallOf(zone, atMs)
      assert.ok(instantOf(zone, wall) <= instantOf(zone, wall + later))
      assert.ok(instantOf(zone, wall) <= atMs)
    }),
  )
})

test('buckets tile the window of any zone without gap or overlap, none of them empty', () => {
  fc.assert(
    fc.property(anyBuckets, ({ window, buckets }) => {
      assertTiled(window, buckets)
    }),
    { numRuns: 300 },
  )
})

test('days, months and years begin with a date of the zone, hours with a full hour or a change of the clocks', () => {
  const isDate = (zone: string, fromMs: number) => dayIn(zone, fromMs) !== dayIn(zone, fromMs - 1)
  const dateOf = (zone: string, fromMs: number) => dayText(dayIn(zone, fromMs))
  const isHour = (zone: string, fromMs: number) =>
    wallOf(zone, fromMs) % HOUR_MS === 0 || offsetAt(zone, fromMs) !== offsetAt(zone, fromMs - 1)
  const begins: Readonly<Record<Interval, (zone: string, fromMs: number) => boolean>> = {
    hour: isHour,
    day: isDate,
    week: isDate,
    month: (zone, fromMs) => isDate(zone, fromMs) && dateOf(zone, fromMs).endsWith('-01'),
    year: (zone, fromMs) => isDate(zone, fromMs) && dateOf(zone, fromMs).endsWith('-01-01'),
  }
  fc.assert(
    fc.property(anyBuckets, ({ window: { zone }, buckets, interval }) => {
      assert.ok(buckets.slice(1).every(({ fromMs }) => begins[interval](zone, fromMs)))
    }),
    { numRuns: 300 },
  )
})

const dayOfChange = ({ zone, atMs }: Change): Window => {
  const date = dayText(dayIn(zone, atMs))
  return parseWindow({ period: 'custom', date_from: date, date_to: date, timezone: zone }, atMs)
}

test('on the day of a change, hours are as many as the day has, and each has its label', () => {
  for (const change of changes.filter(({ old, fresh }) => Math.abs(fresh - old) === HOUR_MS)) {
    const window = dayOfChange(change)
    const buckets = bucketsOf(window, 'hour')
    const hours = (window.toMs - window.fromMs) / HOUR_MS
    if (wallOf(change.zone, change.atMs) % HOUR_MS === 0) assert.equal(buckets.length, hours, explained(change))
    assert.ok(buckets.every(({ fromMs, toMs }) => toMs - fromMs <= HOUR_MS))
  }
  const labels = (date: string) => {
    const asked = { period: 'custom', date_from: date, date_to: date, timezone: 'Europe/Berlin' }
    return bucketsOf(parseWindow(asked, 0), 'hour').map(({ label }) => label)
  }
  assert.deepEqual(labels('2026-03-29').slice(0, 4), ['0h', '1h', '3h', '4h'])
  assert.deepEqual(labels('2026-10-25').slice(0, 5), ['0h', '1h', '2h', '2h', '3h'])
})

test('what precedes whole days is as many whole days', () => {
  for (const change of changes) {
    const window = dayOfChange(change)
    const { fromMs, toMs } = precedingSpan(window)
    const day = dayIn(change.zone, window.fromMs)
    assert.deepEqual([fromMs, toMs], [dayBegin(change.zone, day - 1), window.fromMs], explained(change))
  }
  fc.assert(
    fc.property(anyWindow, (window) => {
      const { fromMs, toMs } = precedingSpan(window)
      assert.ok(fromMs < toMs && toMs === window.fromMs)
      const days = (span: { fromMs: number; toMs: number }) =>
        dayIn(window.zone, span.toMs) - dayIn(window.zone, span.fromMs)
      if (!window.endsNow) assert.equal(days({ fromMs, toMs }), days(window))
    }),
    { numRuns: 300 },
  )
})

test('buckets of the preceding window lie in it, in the same order', () => {
  fc.assert(
    fc.property(anyBuckets, ({ window, buckets }) => {
      const preceding = precedingSpan(window)
      const edges = buckets.map(({ fromMs }) => sameDistance(window, fromMs, preceding))
      assert.equal(edges[0], preceding.fromMs)
      assert.deepEqual(
        edges,
        edges.toSorted((one, other) => one - other),
      )
      assert.ok(edges.at(-1)! <= preceding.toMs)
    }),
    { numRuns: 300 },
  )
})

test('a year earlier the clocks read the same', () => {
  const before = yearBefore('Europe/Berlin', at('2026-03-29T12:00:00Z')) // summer time since that morning
  assert.equal(before, at('2025-03-29T13:00:00Z'))
})

test('windows of zones with halves and quarters of hours begin at their midnight', () => {
  const begin = (timezone: string) =>
    new Date(parseWindow({ period: 'today', timezone }, at('2026-11-20T20:00:00Z')).fromMs).toISOString()
  assert.equal(begin('Asia/Kathmandu'), '2026-11-20T18:15:00.000Z')
  assert.equal(begin('America/St_Johns'), '2026-11-20T03:30:00.000Z')
  assert.equal(begin('Pacific/Chatham'), '2026-11-20T10:15:00.000Z')
  assert.equal(begin('Pacific/Kiritimati'), '2026-11-20T10:00:00.000Z')
})

test('a date that a zone never had is refused, and so are names of no zone', () => {
  const refused = (asked: Parameters<typeof parseWindow>[0], field: string) =>
    assert.throws(
      () => parseWindow(asked, at('2026-11-20T20:00:00Z')),
      (error) => error instanceof Problem && error.status === 422 && field in (error.errors ?? {}),
    )
  const skipped = { period: 'custom', date_from: '2011-12-30', date_to: '2011-12-30', timezone: 'Pacific/Apia' }
  refused(skipped, 'date_to')
  for (const timezone of ['', 'Mars/Olympus', '+01:00', '__proto__', 'Europe/Berlin\0', 'x'.repeat(1000), '../UTC'])
    refused({ period: 'today', timezone }, 'timezone')
  assert.ok(zones.every(isZone) && isZone('UTC') && isZone('Etc/GMT+5'))
})
