// The signature header of docs/api/forms.md: against a second computation written on its own, and on which
// days it is taken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, signature } from '../../test/support/form-flow.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { isSignature, signatureOf } from './signature.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const texts = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.string({ maxLength: 60 }))

test('the signature is year, key and day hashed in 32 bits, of any unicode key and any day', () => {
  const times = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 11, 31) })
  fc.assert(fc.property(texts, times, (key, atMs) => assert.equal(signatureOf(key, atMs), signature(key, atMs))))
})

test('known signatures stay what they are', () => {
  assert.equal(signatureOf('', Date.UTC(2026, 0, 1)), '47655791') // (((50·31 + 48)·31 + 50)·31 + 54)·31 + 49
  assert.notEqual(
    signatureOf('\u00e9', NOON),
    signatureOf('e\u0301', NOON),
    'code units count, not what they look like',
  )
})

test('the days of today and yesterday are taken, the one before and tomorrow are not', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: DAY_MS - 1 }), (key, ofDayMs) => {
      const now = Date.UTC(2027, 0, 1) + ofDayMs // New Year: yesterday is of another year
      const taken = [-2, -1, 0, 1].map((days) => isSignature(signatureOf(key, now + days * DAY_MS), key, now))
      assert.deepEqual(taken, [false, true, true, false])
    }),
  )
})

test('only the exact text is one: no sign, blank, zero, fraction, exponent or other spelling, and not nothing', () => {
  const right = signatureOf('fk_x', NOON)
  const signed = String(Number(right) | 0)
  const others = [
    `+${right}`,
    ` ${right}`,
    `${right} `,
    `0${right}`,
    `${right}.0`,
    `${right}e0`,
    `"${right}"`,
    '',
    'NaN',
  ]
  for (const text of [...others, ...(signed === right ? [] : [signed]), `0x${Number(right).toString(16)}`])
    assert.equal(isSignature(text, 'fk_x', NOON), false, text)
  assert.equal(isSignature(undefined, 'fk_x', NOON), false)
  assert.equal(isSignature(right, 'fk_y', NOON), false, 'of another key')
})
