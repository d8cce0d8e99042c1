// Changes as their readers are told of them. Node's language is that of the machine, so numbers are compared
// as it writes them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import { changeOf, changeWords, signedGrowth, signedPoints } from './change.ts'
import { compactNumber, figure, fullFigure, number, percent } from './format.ts'
import { loadTexts } from './texts/index.ts'

before(() => loadTexts(['common']))

const told = (value: number, before: number, format: string, say = figure): string | undefined => {
  const change = changeOf(value, before, format, say)
  return change ? changeWords(change) : undefined
}

test('rates change in percentage points, everything else in percent', () => {
  assert.equal(told(0.086, 0.064, 'fraction'), `+${number(2.2)} points`)
  assert.equal(told(0.41, 0.43, 'fraction'), `−${number(2)} points`)
  assert.equal(told(0.42, 0.43, 'fraction'), `−${number(1)} point`)
  assert.equal(told(63, 60, 'scroll'), `+${number(3)} points`)
  assert.equal(told(135, 100, 'count'), `+${percent(0.35)}`)
  assert.equal(told(92, 100, 'seconds'), `−${percent(0.08)}`)
  assert.equal(told(2.5, 2, 'ratio'), `+${percent(0.25)}`)
})

test('a change that cannot be seen is none', () => {
  assert.equal(told(0.0684, 0.0676, 'fraction'), 'no change')
  assert.equal(told(0.0685, 0.0684, 'fraction'), `+${number(0.1)} points`)
  assert.equal(told(1_234_000, 1_226_000, 'count'), 'no change')
  assert.equal(told(1_234_000, 1_226_000, 'count', fullFigure), `+${percent(0.007)}`)
  assert.equal(told(100_003, 100_000, 'count', fullFigure), 'no change')
  assert.equal(told(0, 0, 'count'), 'no change')
})

test('above tenfold it is said how many times', () => {
  assert.equal(told(1000, 100, 'count'), `+${percent(9.0)}`)
  assert.equal(told(6685, 100, 'count'), '×67')
  assert.equal(told(2_000_000, 1, 'count'), `×${compactNumber(2_000_000)}`)
  assert.equal(told(1, 1000, 'count'), `−${percent(0.99)}`)
  assert.equal(told(0, 1000, 'count'), `−${percent(1.0)}`)
})

test('from nothing there is no percentage, and of what is not known no change', () => {
  assert.equal(told(12, 0, 'count'), '+12')
  assert.equal(told(42, 0, 'seconds'), '+42s')
  assert.equal(changeOf(null, 3, 'count'), null)
  assert.equal(changeOf(3, null, 'count'), null)
})

test('a difference of rates is said in points and against what it grew from', () => {
  assert.deepEqual([signedPoints(0.0224), signedGrowth(0.0224, 0.064)], [`+${number(2.2)} points`, `+${percent(0.35)}`])
  assert.deepEqual(
    [signedPoints(-0.0004), signedGrowth(-0.0004, 0.003)],
    [`−${number(0.04)} points`, `−${percent(0.13)}`],
  )
  assert.deepEqual([signedPoints(0.126), signedGrowth(0.126, 0.01)], [`+${number(13)} points`, '×14'])
  assert.deepEqual([signedPoints(0.01), signedGrowth(0.01, 0)], [`+${number(1)} point`, undefined])
  assert.deepEqual([signedPoints(0.00001), signedGrowth(0, 0.3)], [`${number(0)} points`, undefined])
})

test('whatever the figures, a change has words, and is none where both look alike', () => {
  const value = fc.oneof(
    fc.constant(0),
    fc.double({ min: 0, max: 1e9, noNaN: true }).map((any) => Math.round(any * 1e4) / 1e4),
  )
  fc.assert(
    fc.property(
      value,
      value,
      fc.constantFrom('count', 'ratio', 'fraction', 'seconds', 'scroll', 'cents'),
      (a, b, format) => {
        const words = told(a, b, format) ?? ''
        assert.match(words, /^(no change|[+−].*\d.*|×\d.*)$/)
        assert.doesNotMatch(words, /NaN|Infinity|undefined/)
        if (figure(a, format) === figure(b, format)) assert.equal(words, 'no change')
        if (words.startsWith('−')) assert.ok(a < b)
        if (/^[+×]/.test(words)) assert.ok(a > b)
      },
    ),
  )
})
