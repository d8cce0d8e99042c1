// Exchange rates: the seed covers every currency, a day takes the latest rate known up to it, and the ECB's
// file is understood.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { currencyCodes } from '../kernel/money.ts'
import { parseEcbRates, rateTable } from './rates.ts'
import { seedRates } from './rates-seed.ts'

const day = (text: string) => Date.parse(`${text}T12:00:00Z`)

test('every currency of ISO 4217 has a rate on any day, and none has a senseless one', () => {
  const table = rateTable(seedRates)
  for (const code of currencyCodes) {
    for (const at of ['2020-01-01', '2024-06-30', '2026-11-20']) {
      const rate = table.at(code, day(at))
      assert.ok(rate && rate.perUsd > 0.01 && rate.perUsd < 200_000, code)
    }
  }
  assert.equal(new Set(seedRates.map((rate) => rate.currency)).size, currencyCodes.length)
})

test('a day has the latest rate known up to it; days before the first have the first', () => {
  const table = rateTable([
    { day: '2026-02-01', currency: 'EUR', perUsd: 2 },
    { day: '2026-01-01', currency: 'EUR', perUsd: 1 },
    { day: '2026-03-01', currency: 'EUR', perUsd: 3 },
  ])
  const rates = ['2025-01-01', '2026-01-31', '2026-02-01', '2026-02-28', '2027-01-01'].map(
    (at) => table.at('EUR', day(at))?.perUsd,
  )
  assert.deepEqual(rates, [1, 1, 2, 2, 3])
  assert.equal(table.at('GBP', day('2026-01-01')), undefined)
})

test('a rate of the records replaces the seed of the same day', () => {
  const table = rateTable([...seedRates, { day: '2026-01-02', currency: 'EUR', perUsd: 0.5 }])
  assert.equal(table.at('EUR', day('2026-01-02'))?.perUsd, 0.5)
})

const ECB = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.25'/><Cube currency='JPY' rate='187.5'/><Cube currency='XYZ' rate='3'/></Cube>
<Cube time='2026-11-19'><Cube currency='JPY' rate='180'/></Cube></Cube></gesmes:Envelope>`

test("the ECB's rates for a euro become rates for a dollar; unknown codes and days without a dollar are left out", () => {
  assert.deepEqual(parseEcbRates(ECB), [
    { day: '2026-11-20', currency: 'EUR', perUsd: 0.8 },
    { day: '2026-11-20', currency: 'USD', perUsd: 1 },
    { day: '2026-11-20', currency: 'JPY', perUsd: 150 },
  ])
})

test('a file that is something else gives no rates and no error', () => {
  fc.assert(fc.property(fc.string(), (text) => parseEcbRates(text).length === 0))
  for (const rate of ['0', '.', '1.2.3', '999999999999'])
    assert.ok(!parseEcbRates(ECB.replace('187.5', rate)).some((row) => row.currency === 'JPY'), rate)
})
