// Figures as readers see them. Node's language is that of the machine: only what does not depend on it is compared letter by letter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ago,
  axisFigure,
  bucketName,
  bucketTick,
  bytes,
  countryName,
  dateTime,
  daysOfText,
  duration,
  figure,
  money,
  NO_FIGURE,
  percent,
} from './format.ts'

const digits = (text: string): string => text.replaceAll(/[^\d]/g, '')

test('lengths of time are of two units at most', () => {
  const shown = [0, 0.4, 59, 59.6, 60, 187, 3599, 3600, 7500, 90_000].map(duration)
  assert.deepEqual(shown, ['0s', '0s', '59s', '1m 00s', '1m 00s', '3m 07s', '59m 59s', '1h 00m', '2h 05m', '25h 00m'])
})

test('money has the decimals of its currency', () => {
  assert.equal(digits(money(123_456, 'EUR')), '123456')
  assert.equal(digits(money(1000, 'JPY')), '1000')
  assert.equal(digits(money(1500, 'KWD')), '1500')
  assert.match(money(5, 'no such'), /5/)
})

test('every figure has words, and none of them is NaN', () => {
  assert.equal(figure(null, 'count'), NO_FIGURE)
  const formats = ['count', 'ratio', 'fraction', 'seconds', 'scroll', 'cents', 'unknown']
  fc.assert(
    fc.property(fc.constantFrom(...formats), fc.double({ min: 0, max: 1e12, noNaN: true }), (format, value) => {
      const words = figure(value, format)
      assert.ok(words.length > 0 && words.length < 30, words)
      assert.doesNotMatch(words, /NaN|undefined|Infinity/)
    }),
  )
})

test('small shares keep a decimal, times of day say that they are UTC', () => {
  assert.equal(digits(percent(0.043)), '43')
  assert.equal(digits(percent(0.5)), '50')
  assert.match(dateTime(1_700_000_000), /\b(10|22).13(.PM)? UTC$/u)
})

test('how long ago is said in the largest unit that fits', () => {
  const now = 1_700_000_000_000
  assert.match(ago(1_700_000_000 - 7200, now), /2/)
  assert.match(ago(1_700_000_000 - 59, now), /59/)
  assert.notEqual(ago(1_700_000_000, now), '')
  assert.match(bytes(1_400_000), /1.4/)
  assert.equal(countryName('not a code'), 'not a code')
})

test('an axis is labelled as shortly as its steps allow, and buckets by what they are', () => {
  assert.deepEqual(
    [0, 30, 60, 3600].map((seconds) => axisFigure(seconds, 'seconds')),
    ['0s', '30s', '1m', '1h'],
  )
  assert.equal(digits(axisFigure(0.05, 'fraction')), '5')
  assert.equal(digits(axisFigure(0.005, 'fraction')), '05')
  const hour = Date.parse('2026-11-20T13:00:00Z') / 1000
  assert.match(bucketName(hour, hour + 3600, 'hour'), /20.*UTC$/)
  assert.match(bucketName(hour, hour + 86_400, 'month'), /2026/)
  assert.match(bucketTick(Date.parse('2026-01-01') / 1000, 'month'), /2026/)
  assert.doesNotMatch(bucketTick(hour, 'month'), /2026/)
  assert.match(daysOfText('2026-11-14', '2026-11-20'), /14.*20/)
  assert.equal(daysOfText('nonsense', '2026-11-20'), 'nonsense – 2026-11-20')
})
