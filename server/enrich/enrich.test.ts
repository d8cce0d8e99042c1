import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { cleanText, countryName, openEnrich } from './enrich.ts'
import { openLanguages } from './language.ts'

const readLanguage = openLanguages()

const languages: readonly (readonly [string, string])[] = [
  ['en-GB,en;q=0.9', 'en-GB'],
  ['de', 'de'],
  ['en_us', 'en-US'],
  ['zh-hant-tw;q=0.5, fr-CA;q=0.8', 'fr-CA'],
  ['de;q=0.8,fr;q=0.8', 'de'],
  ['de-DE-1996,de', 'de-DE'],
  ['sr-latn-rs', 'sr-Latn-RS'],
  ['es-419', 'es-419'],
  ['en;q=0', ''],
  ['*', ''],
  ['', ''],
  ['12345', ''],
  ['de;q=nonsense, fr;q=0.1', 'fr'],
]

for (const [header, expected] of languages) {
  test(`Accept-Language ${JSON.stringify(header)} asks for ${JSON.stringify(expected)}`, () =>
    assert.equal(readLanguage(header), expected))
}

test('any header gives a short language or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 2000 }), (header) => {
      assert.match(readLanguage(header), /^(?:[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?)?$/)
    }),
  )
})

test('a country has its English name, and what is no country has none', () => {
  assert.equal(countryName('DE'), 'Germany')
  assert.equal(countryName('GB'), 'United Kingdom')
  for (const code of ['', 'X', 'de', 'ÄÖ', 'D1', 'DEU']) assert.equal(countryName(code), '')
})

test('the same address, agent and link say the same before and after the caches are warm, and after a close places are unknown', async () => {
  const enrich = openEnrich({
    geoDir: join(import.meta.dirname, '../../test/fixtures/geo'),
    log: { warn: assert.fail },
  })
  await enrich.preload()
  const landing = { page: new URL('https://example.com/?utm_source=bing'), referrer: 'https://t.co/', ownDomains: [] }
  const ask = () => [
    enrich.place('8.8.8.8'),
    enrich.agent('curl/8'),
    enrich.bot({ userAgent: 'curl/8' }),
    enrich.source(landing),
  ]
  assert.deepEqual(ask(), ask())
  assert.equal(enrich.place('8.8.8.8').city, 'Mountain View')
  enrich.close()
  assert.equal(enrich.place('8.8.8.8').city, '')
})

test('collected text comes out bounded, well formed and without control characters', () => {
  assert.equal(cleanText('\ud800x\udc00', 10), '\ufffdx\ufffd')
  assert.equal(cleanText(' a\0b\u001b[31m\n', 255), 'a b [31m')
  const units = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 600 })
  fc.assert(
    fc.property(units, fc.integer({ min: 1, max: 100 }), (text, limit) => {
      const clean = cleanText(text, limit)
      // oxlint-disable-next-line no-control-regex -- the point of the test
      assert.ok(clean.length <= limit && clean.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(clean))
    }),
  )
})
