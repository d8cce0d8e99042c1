// Windows for property tests, and what holds for the buckets of any of them.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { acceptedIntervals, type Bucket, bucketsOf } from '../../server/kernel/buckets.ts'
import { dayText } from '../../server/kernel/days.ts'
import { allPeriods } from '../../server/kernel/periods.ts'
import { parseWindow, type Window } from '../../server/kernel/window.ts'

/** Of the days before; a custom one needs dates. */
export const relativePeriods = allPeriods.map(({ id }) => id).filter((id) => id !== 'custom')

/** In UTC. */
export const anyCustom = fc
  .tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 3652 }))
  .map(([day, length]) => parseWindow({ period: 'custom', date_from: dayText(day), date_to: dayText(day + length) }, 0))

export const anyNow = fc.integer({ min: Date.parse('2024-01-01T00:00:00Z'), max: Date.parse('2032-01-01T00:00:00Z') })

/** In UTC. */
export const anyWindow = fc.oneof(
  fc.tuple(fc.constantFrom(...relativePeriods), anyNow).map(([period, nowMs]) => parseWindow({ period }, nowMs)),
  anyCustom,
)

/** A window with one of the intervals that it accepts. */
export const bucketsIn = (windows: fc.Arbitrary<Window>) =>
  windows.chain((window) =>
    fc
      .constantFrom(...acceptedIntervals(window).intervals)
      .map((interval) => ({ window, interval, buckets: bucketsOf(window, interval) })),
  )

/** Without gap or overlap, none of them empty, and only the last one cut at its end. */
export function assertTiled(window: Window, buckets: readonly Bucket[]): void {
  assert.equal(buckets[0]?.fromMs, window.fromMs)
  assert.equal(buckets.at(-1)?.toMs, window.toMs)
  for (const [index, bucket] of buckets.entries()) {
    assert.ok(bucket.fromMs < bucket.toMs && bucket.toMs <= bucket.fullToMs)
    const next = buckets[index + 1]
    if (next) assert.deepEqual([next.fromMs, bucket.fullToMs], [bucket.toMs, bucket.toMs])
  }
}
