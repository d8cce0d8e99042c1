// Figures as readers see them. Node's locale is that of the machine: only what does not depend on it is
// compared.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import {
  ago,
  axisFigure,
  bucketName,
  bucketTick,
  bytes,
  chance,
  countryName,
  dateOfText,
  dateTime,
  daysOfText,
  duration,
  fieldsOfTs,
  figure,
  money,
  NO_FIGURE,
  percent,
  setZone,
  tsOfFields,
  zoneName,
} from './format.ts'
import { loadTexts } from './texts/index.ts'

before(() => loadTexts(['common']))

const digits = (text: string): string => text.replaceAll(/[^\d]/g, '')

test('lengths of time are of two units at most', () => {
  const shown = [0, 0.4, 59, 59.6, 60, 187, 3599, 3600, 7500, 90_000].map(duration)
  assert.deepEqual(shown, ['0s', '0s', '59s', '1m 00s', '1m 00s', '3m 07s', '59m 59s', '1h 00m', '2h 05m', '25h 00m'])
})

test('money has the decimals of its currency', () => {
  assert.equal(digits(money(123_456, 'EUR')), '123456')
  assert.equal(digits(money(1000, 'JPY')), '1000')
  assert.equal(digits(money(1500, 'KWD')), '1500')
  assert.equal(digits(money(1_234_500, 'HUF')), '12345', 'which prices do not show')
  assert.equal(digits(money(2_000_000, 'IQD')), '2000')
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

test('times are those of the zone of the page, dates are the same in all', (t) => {
  t.after(() => setZone('UTC'))
  const ts = Date.parse('2026-10-25T00:30:00Z') / 1000
  setZone('Asia/Kathmandu')
  assert.match(dateTime(ts), /25.*\b0?6.15/u)
  assert.deepEqual(fieldsOfTs(ts), { date: '2026-10-25', time: '06:15' })
  assert.equal(tsOfFields('2026-10-25T06:15'), ts)
  assert.equal(digits(dateOfText('2026-10-25')), '252026')
  assert.equal(zoneName(), 'Kathmandu')
  assert.equal(ago(ts - 7 * 3600, ts * 1000), 'yesterday')
  setZone('America/New_York')
  assert.deepEqual(fieldsOfTs(ts), { date: '2026-10-24', time: '20:30' })
  assert.equal(bucketTick(Date.parse('2026-01-01T05:00:00Z') / 1000, 'month').includes('26'), true)
  assert.equal(zoneName(), 'New York')
  assert.equal(tsOfFields('no time'), undefined)
})

test('how long ago is said by the calendar, and by the date from a week on', () => {
  const now = '2026-11-22T07:15:00Z'
  const said = (then: string) => ago(Date.parse(then) / 1000, Date.parse(now))
  const relative = new Intl.RelativeTimeFormat(navigator.language, { numeric: 'auto' })
  const times: readonly (readonly [string, string])[] = [
    ['2026-11-22T07:15:00Z', relative.format(0, 'second')],
    ['2026-11-22T07:14:01Z', relative.format(-59, 'second')],
    ['2026-11-22T06:16:00Z', relative.format(-59, 'minute')],
    ['2026-11-22T05:00:00Z', relative.format(-2, 'hour')],
    ['2026-11-22T00:00:00Z', relative.format(-7, 'hour')],
    ['2026-11-21T23:59:59Z', relative.format(-1, 'day')],
    ['2026-11-21T16:00:00Z', relative.format(-1, 'day')],
    ['2026-11-21T00:00:00Z', relative.format(-1, 'day')],
    ['2026-11-20T12:15:00Z', relative.format(-2, 'day')],
    ['2026-11-16T00:00:00Z', relative.format(-6, 'day')],
    ['2026-11-15T23:59:59Z', dateOfText('2026-11-15')],
    ['2024-02-29T00:00:00Z', dateOfText('2024-02-29')],
    ['2026-11-22T23:00:00Z', relative.format(15, 'hour')],
    ['2026-11-23T09:00:00Z', relative.format(1, 'day')],
    ['2026-11-30T00:00:00Z', dateOfText('2026-11-30')],
  ]
  for (const [then, words] of times) assert.equal(said(then), words, then)
})

test('what happened a moment before midnight is minutes ago, and yesterday an hour later', () => {
  const then = Date.parse('2026-11-21T23:50:00Z')
  const relative = new Intl.RelativeTimeFormat(navigator.language, { numeric: 'auto' })
  assert.equal(ago(then / 1000, then + 20 * 60_000), relative.format(-20, 'minute'))
  assert.equal(ago(then / 1000, then + 60 * 60_000), relative.format(-1, 'day'))
})

test('a chance is never sure', () => {
  const shown = [0, 0.004, 0.01, 0.5, 0.986, 0.99, 0.9912, 1].map(chance)
  assert.deepEqual(shown.map(digits), ['1', '1', '1', '50', '99', '99', '99', '99'])
  assert.deepEqual([shown[0]?.[0], shown.at(-1)?.[0]], ['<', '>'])
})

test('sizes have their unit, and what is no country its code', () => {
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
