// Money: exponents of ISO 4217, conversion and rounding.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { convertMinor, currencyCodes, currencyExponent, roundHalfAway, toUsdCents } from './money.ts'

test('a currency has the decimals of ISO 4217, not those of shops', () => {
  const expected = {
    USD: 2,
    JPY: 0,
    KRW: 0,
    CLP: 0,
    ISK: 0,
    HUF: 2,
    TWD: 2,
    IDR: 2,
    UGX: 0,
    BHD: 3,
    KWD: 3,
    TND: 3,
    CLF: 4,
    UYW: 4,
  }
  for (const [code, exponent] of Object.entries(expected)) assert.equal(currencyExponent(code), exponent, code)
})

test('an unknown code has no decimals, nor has one in lower case or a name of the prototype', () => {
  for (const code of ['XYZ', 'usd', '', 'US', 'constructor', '__proto__', 'DEM'])
    assert.equal(currencyExponent(code), undefined)
})

test('every code is three capitals and listed once', () => {
  assert.equal(new Set(currencyCodes).size, currencyCodes.length)
  for (const code of currencyCodes) assert.match(code, /^[A-Z]{3}$/)
})

test('a thousand yen are six to seven dollars, not sixty cents', () => {
  assert.equal(toUsdCents(1000, { currency: 'JPY', perUsd: 150 }), 667)
})

test('a Kuwaiti dinar of a thousand fils is more than three dollars', () => {
  assert.equal(toUsdCents(1000, { currency: 'KWD', perUsd: 0.307 }), 326)
})

test('halves go away from zero', () => {
  for (const [value, rounded] of [
    [0.5, 1],
    [1.5, 2],
    [2.5, 3],
    [-0.5, -1],
    [-2.5, -3],
    [0.49, 0],
    [-0.49, 0],
  ] as const) {
    assert.equal(roundHalfAway(value) + 0, rounded === 0 ? 0 : rounded)
  }
  assert.equal(toUsdCents(1, { currency: 'EUR', perUsd: 2 }), 1)
})

const code = fc.constantFrom(...currencyCodes)
const perUsd = fc.double({ min: 0.01, max: 100_000, noNaN: true })
const amount = fc.integer({ min: 0, max: 1_000_000_000 })

test('dollars stay what they are, whatever the amount', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => toUsdCents(value, { currency: 'USD', perUsd: 1 }) === value))
})

test('a conversion gives whole units, and more for more', () => {
  fc.assert(
    fc.property(code, perUsd, amount, amount, (currency, rate, a, b) => {
      const from = { currency, perUsd: rate }
      const [low, high] = [toUsdCents(Math.min(a, b), from), toUsdCents(Math.max(a, b), from)]
      return Number.isInteger(low) && low >= 0 && low <= high
    }),
  )
})

test('there and back loses no more than the rounding of the coarser of both', () => {
  fc.assert(
    fc.property(code, perUsd, amount, (currency, rate, value) => {
      const from = { currency, perUsd: rate }
      const usd = { currency: 'USD', perUsd: 1 }
      const unit = convertMinor(1_000_000, usd, from) / 1_000_000 // minor units of a cent
      const back = convertMinor(convertMinor(value, from, usd), usd, from)
      return Math.abs(back - value) <= unit / 2 + 1
    }),
  )
})
