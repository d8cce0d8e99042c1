// The places of what is drawn, for any figures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { areaPath, bands, daysOf, dotPath, grouped, labelEvery, linePath, placeOf, ticksFor } from './geometry.ts'

const formats = ['count', 'ratio', 'fraction', 'seconds', 'scroll', 'cents']

test('a scale begins at 0, ends not far above the largest figure, and has even steps that few people trip over', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), fc.constantFrom(...formats), (most, format) => {
      const ticks = ticksFor(most, format)
      assert.equal(ticks[0], 0)
      const [top = 0, step = 0] = [ticks.at(-1), ticks[1]]
      assert.ok(top >= most * (1 - 1e-6), `${top} is below ${most}`)
      assert.ok(ticks.length >= 2 && ticks.length <= 6, `${ticks.length} steps`)
      if (format === 'count') assert.ok(ticks.every(Number.isInteger))
      assert.ok(top - most <= step * 1.000001)
    }),
  )
  assert.deepEqual(ticksFor(3, 'count'), [0, 1, 2, 3])
  assert.deepEqual(ticksFor(830, 'count'), [0, 500, 1000])
  assert.deepEqual(ticksFor(200, 'seconds'), [0, 60, 120, 180, 240])
})

test('a scale of nothing has steps that can be told apart', () => {
  const scales = formats.map((format) => [format, ticksFor(0, format)])
  assert.deepEqual(Object.fromEntries(scales), {
    count: [0, 1],
    ratio: [0, 0.5, 1],
    fraction: [0, 50, 100],
    seconds: [0, 15, 30, 45, 60],
    scroll: [0, 50, 100],
    cents: [0, 5000, 10_000],
  })
})

test('a gap in the figures is a gap in the line', () => {
  const points = [{ x: 0, y: 10 }, { x: 10, y: 0 }, null, { x: 30, y: 5 }]
  assert.equal(linePath(points), 'M0,10L10,0M30,5')
  assert.equal(areaPath(points, 20), 'M0,20L0,10L10,0L10,20ZM30,20L30,5L30,20Z')
  assert.equal(dotPath(points), 'M30,5h0', 'what stands alone is a dot')
  assert.equal(linePath([null, null]), '')
})

test('the pointer finds the band that it is over, and never one that there is not', () => {
  const { at, middle, begin } = bands(7, 40, 700)
  for (let index = 0; index < 7; index++) assert.equal(at(middle(index)), index)
  assert.equal(begin(1), 140)
  assert.deepEqual([at(-5), at(10_000)], [0, 6])
  assert.equal(bands(0, 0, 100).at(50), 0)
})

test('labels leave each other room', () => {
  assert.equal(labelEvery(7, 700, 60), 1)
  assert.equal(labelEvery(28, 700, 60), 3)
  assert.equal(labelEvery(28, 30, 60), 28)
})

test('marks that would lie over each other are one, none is lost, and no group lies over the next', () => {
  const roomOf = (all: readonly unknown[]): number => (all.length > 1 ? 40 : 28)
  const places = fc.array(fc.record({ x: fc.integer({ min: 0, max: 600 }), id: fc.nat() }), { maxLength: 60 })
  fc.assert(
    fc.property(places, (marks) => {
      const groups = grouped(marks, roomOf)
      const inOrder = marks.toSorted((a, b) => a.x - b.x)
      assert.deepEqual(
        groups.flatMap(({ all }) => all),
        inOrder,
      )
      for (const [index, { x, all }] of groups.entries()) {
        assert.ok((all[0]?.x ?? 0) <= x && x <= (all.at(-1)?.x ?? 0))
        const next = groups[index + 1]
        if (next) assert.ok(next.x - x >= (roomOf(all) + roomOf(next.all)) / 2)
      }
    }),
  )
  const apart = [{ x: 10 }, { x: 38 }]
  assert.equal(grouped(apart, roomOf).length, 2)
  assert.deepEqual(grouped([{ x: 30 }, { x: 10 }], roomOf), [{ x: 20, all: [{ x: 10 }, { x: 30 }] }])
})

test('a note stands in the bucket of its time, and a stretch of buckets is made of whole days', () => {
  const day = 86_400
  const buckets = [0, 1, 2].map((n) => ({ from_ts: n * day, to_ts: (n + 1) * day }))
  assert.deepEqual(placeOf(buckets, day * 1.5), { index: 1, part: 0.5 })
  assert.equal(placeOf(buckets, day * 3), undefined)
  assert.deepEqual(daysOf(buckets, 2, 1), { from: '1970-01-02', to: '1970-01-03' })
  assert.equal(daysOf(buckets, 0, 9), null)
})
