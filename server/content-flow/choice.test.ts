// Choosing a version: shares as the weights say, the same answer every time, and as few visitors as can be
// who change theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { bucketOf, chooseVersion } from './choice.ts'
import { BUCKETS, MAX_VERSIONS, MAX_WEIGHT } from '../content/content-model.ts'

const block = { id: 'cb_0123456789abcdefghij', salt: '00112233445566778899aabbccddeeff' }
const hash = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const version = fc.record(
  { weight: fc.integer({ min: 0, max: MAX_WEIGHT }), is_active: fc.boolean() },
  { noNullPrototype: true },
)
const versions = fc.array(version, { minLength: 1, maxLength: MAX_VERSIONS })
const bucket = fc.oneof(fc.integer({ min: 0, max: BUCKETS - 1 }), fc.constantFrom(0, 1, BUCKETS - 2, BUCKETS - 1))
const active = (weight: number, name = '') => ({ weight, is_active: true, name })

test('a version of weight 0, or one that is not active, is never chosen; any other set always gives one', () => {
  fc.assert(
    fc.property(versions, bucket, (all, place) => {
      const chosen = chooseVersion(all, place)
      if (all.some(({ weight, is_active }) => is_active && weight > 0))
        assert.ok(chosen?.is_active && chosen.weight > 0)
      else assert.equal(chosen, undefined)
    }),
  )
})

/**
 * Where each version's stretch begins, found from outside: the first bucket that is given to it or a later
 * one.
 */
function beginningOf(all: readonly object[], index: number): number {
  let [low, high] = [0, BUCKETS]
  while (low < high) {
    const middle = (low + high) >> 1
    const chosen = all.indexOf(chooseVersion(all as never, middle)!)
    if (chosen >= index) high = middle
    else low = middle + 1
  }
  return low
}

test('every version with a weight has its share of the buckets, the smallest weight among the largest too', () => {
  fc.assert(
    fc.property(versions, (all) => {
      const sum = all.reduce((total, { weight, is_active }) => total + (is_active ? weight : 0), 0)
      fc.pre(sum > 0)
      for (const [i, { weight, is_active }] of all.entries()) {
        const share = beginningOf(all, i + 1) - beginningOf(all, i)
        const expected = ((is_active ? weight : 0) / sum) * BUCKETS
        assert.ok(Math.abs(share - expected) < 1, `${share} for ${expected}`)
        assert.equal(share > 0, expected > 0)
      }
    }),
    { numRuns: 40 },
  )
  const smallest = [active(1), ...Array.from({ length: MAX_VERSIONS - 1 }, () => active(MAX_WEIGHT))]
  assert.ok(beginningOf(smallest, 1) >= 50)
})

test('moved weights move no more visitors than lie between the old and the new bounds', () => {
  const weights = fc.array(fc.integer({ min: 1, max: MAX_WEIGHT }), { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(weights, fc.nat(), fc.integer({ min: 1, max: MAX_WEIGHT }), (before, which, weight) => {
      const changed = before.with(which % before.length, weight)
      const [old, now] = [before, changed].map((list) => list.map((each) => active(each)))
      const bounds = before.map((_, i) => Math.abs(beginningOf(old!, i) - beginningOf(now!, i)))
      const allowed = bounds.reduce((sum, shift) => sum + shift, 0)
      const step = BUCKETS / 1000
      let moved = 0
      for (let place = 0; place < BUCKETS; place += step)
        if (old!.indexOf(chooseVersion(old!, place)!) !== now!.indexOf(chooseVersion(now!, place)!)) moved++
      assert.ok(moved * step <= allowed + before.length * step, `${moved * step} of ${allowed}`)
    }),
    { numRuns: 60 },
  )
  // Of two versions exactly the difference of the shares.
  const [half, most] = [
    [active(1), active(1)],
    [active(3), active(1)],
  ]
  assert.equal(beginningOf(most, 1) - beginningOf(half, 1), BUCKETS / 4)
})

test('ten thousand visitors are divided as the weights say', () => {
  const all = [active(50, 'a'), active(30, 'b'), active(20, 'c')]
  const counts = new Map<string, number>()
  // Hashes of visitors are even over 64 bits; these are as far from it as numbers can be.
  for (let visitor = 0n; visitor < 10_000n; visitor++) {
    const { name } = chooseVersion(all, bucketOf(block, { hash: visitor }))!
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  // Within four standard deviations.
  for (const { name, weight } of all) {
    const expected = weight * 100
    assert.ok(Math.abs(counts.get(name)! - expected) < 4 * Math.sqrt(expected * (1 - weight / 100)), name)
  }
})

test('a visitor has one bucket in a block, always the same, and one that says nothing about another block', () => {
  fc.assert(
    fc.property(hash, (visitor) => {
      const place = bucketOf(block, { hash: visitor })
      assert.ok(Number.isInteger(place) && place >= 0 && place < BUCKETS)
      assert.equal(bucketOf({ ...block }, { hash: visitor }), place)
    }),
  )
  // Fixed for good: a new way of counting would move every visitor of every running comparison.
  assert.equal(bucketOf(block, { hash: 0n }), 530167)
  assert.equal(bucketOf(block, { hash: 2n ** 64n - 1n }), 505931)
  const other = { ...block, salt: 'ffeeddccbbaa99887766554433221100' }
  const both = [active(1, 'a'), active(1, 'b')]
  let same = 0
  for (let visitor = 0n; visitor < 4_000n; visitor++) {
    const first = chooseVersion(both, bucketOf(block, { hash: visitor }))
    if (first === chooseVersion(both, bucketOf(other, { hash: visitor }))) same++
  }
  assert.ok(Math.abs(same - 2_000) < 4 * Math.sqrt(1_000), String(same))
  assert.notEqual(bucketOf(block, { hash: 5n }), bucketOf({ ...block, id: 'cb_other' }, { hash: 5n }))
})
