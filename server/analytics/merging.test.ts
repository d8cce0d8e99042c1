import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { TopRow } from './facts.ts'
import { compareTexts, mergeCounts, mergeRows, RECENT_ROWS } from './merging.ts'
import { TOP_ROWS } from './top-sets.ts'

const anyCounts = (most: number) =>
  fc.dictionary(fc.integer({ min: 0, max: most }).map(String), fc.integer({ min: 1, max: 60 }), {
    maxKeys: most,
    minKeys: Math.floor(most / 2),
    noNullPrototype: true,
  })

const inOrder = (a: TopRow, b: TopRow) => b.sessions - a.sessions || compareTexts(a.value, b.value)

/** As the store answers it: all of them, or as many as there is room for. */
const listed = (counts: Readonly<Record<string, number>>, most = TOP_ROWS): TopRow[] =>
  Object.entries(counts)
    .map(([value, sessions]) => ({ value, countryCode: '', sessions }))
    .toSorted(inOrder)
    .slice(0, most)

function both(past: Readonly<Record<string, number>>, recent: Readonly<Record<string, number>>) {
  const sum: Record<string, number> = { ...past }
  for (const [value, count] of Object.entries(recent)) sum[value] = (sum[value] ?? 0) + count
  return sum
}

test('the first rows of two parts together are those of the whole, or nothing is said', () => {
  let told = 0
  for (const [most, few] of [
    [40, 20],
    [900, 30],
    [900, 800],
  ] as const) {
    fc.assert(
      fc.property(anyCounts(most), anyCounts(few), fc.nat({ max: 400 }), (past, recent, lead) => {
        // Without a lead of some values over the many others nothing can be told of a list that is cut off.
        const leading = Object.fromEntries(
          Object.entries(past).map(([value, count], at) => [value, at < 12 ? count + lead : count]),
        )
        const merged = mergeRows(listed(leading), listed(recent, RECENT_ROWS), 10)
        if (!merged) return
        told++
        const whole = listed(both(leading, recent))
        assert.deepEqual(merged.slice(0, 10), whole.slice(0, 10))
        assert.equal(Math.min(merged.length, TOP_ROWS), whole.length)
      }),
      { numRuns: 60 },
    )
  }
  assert.ok(told > 60, `${told} were told`)
})

test('nothing is said when the later part has more values than are read of it', () => {
  const many = listed(Object.fromEntries(Array.from({ length: RECENT_ROWS }, (_, n) => [`v${n}`, 1])), RECENT_ROWS)
  assert.equal(mergeRows([], many, 10), undefined)
  assert.equal(mergeRows([], many.slice(1), 10)?.length, RECENT_ROWS - 1)
})

test('texts are in the order of their code points', () => {
  const texts = ['a', 'B', 'ä', '\uffee', '🎈', '']
  const points = (text: string) => [...text].map((letter) => letter.codePointAt(0)!)
  const byPoints = (a: string, b: string) => {
    const [one, other] = [points(a), points(b)]
    const at = one.findIndex((point, index) => point !== other[index])
    return at === -1 ? one.length - other.length : one[at]! - (other[at] ?? -1)
  }
  assert.deepEqual(texts.toSorted(compareTexts), texts.toSorted(byPoints))
})

test('counts add up by id, and a part that was cut off says so', () => {
  const row = (id: string, clicks: number, views: number) => ({ id, clicks, views })
  const [past, recent] = [
    [row('a', 1, 2), row('b', 3, 4)],
    [row('b', 10, 20), row('__proto__', 5, 6)],
  ]
  assert.deepEqual(mergeCounts(past, recent, 'id', 3), [row('a', 1, 2), row('b', 13, 24), row('__proto__', 5, 6)])
  assert.equal(mergeCounts(past, recent, 'id', 2), undefined)
})
