// Where a form may stand: hosts of Origin and Referer against registered domains.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOwnOrigin, isRegistered, namesOrigin } from './origin.ts'

const domains = ['example.com', 'localhost', '192.0.2.7', '2001:db8::1', 'xn--bcher-kva.example']

const rows: readonly (readonly [origin: string, isTaken: boolean])[] = [
  ['https://example.com', true],
  ['http://example.com:8080', true],
  ['https://EXAMPLE.com/', true],
  ['https://example.com./x', true],
  ['https://www.example.com', true],
  ['https://a.b.example.com', true],
  ['https://bücher.example', true],
  ['http://localhost:3000', true],
  ['http://192.0.2.7:81', true],
  ['http://[2001:db8:0::1]:81', true],
  ['http://0xC0000207', true], // the same address, as browsers read it
  ['capacitor://localhost', true],
  ['https://example.org', false],
  ['https://badexample.com', false],
  ['https://example.com.evil.test', false],
  ['https://example.com@evil.test', false],
  ['https://evil.test/example.com', false],
  ['https://evil.test#example.com', false],
  ['https://com', false],
  ['http://app.localhost', false],
  ['http://1.192.0.2.7', false],
  ['http://192.0.2.8', false],
  ['null', false],
  ['file:///etc/passwd', false],
  ['about:blank', false],
  ['example.com', false],
  ['https://', false],
  ['https://example.com, https://evil.test', false],
  ['%%%', false],
]

test('a host is taken when it is a registered domain or a subdomain of one; addresses and localhost by themselves', () => {
  for (const [written, isTaken] of rows)
    for (const name of ['origin', 'referer']) {
      assert.equal(isRegistered({ [name]: written }, domains), isTaken, `${name}: ${written}`)
      assert.equal(namesOrigin({ [name]: written }), written !== 'null')
    }
})

test('both have to be registered where both are there', () => {
  const [good, bad] = ['https://example.com', 'https://evil.test']
  assert.equal(isRegistered({ origin: good, referer: good }, domains), true)
  assert.equal(isRegistered({ origin: good, referer: bad }, domains), false)
  assert.equal(isRegistered({ origin: bad, referer: good }, domains), false)
  assert.equal(isRegistered({ origin: 'null', referer: good }, domains), false)
})

test('with neither nothing is said; with either and no domain nothing is registered', () => {
  assert.equal(isRegistered({}, []), true)
  assert.equal(namesOrigin({}), false)
  assert.equal(isRegistered({ origin: '', referer: '' }, domains), true)
  assert.equal(isRegistered({ origin: 'https://example.com' }, []), false)
  assert.equal(isRegistered({ origin: 'http://localhost' }, ['example.com']), false)
})

test('a plain form may come from our own page, or from a page that stays unnamed', () => {
  const isOwn = (headers: Readonly<Record<string, string>>) =>
    isOwnOrigin(headers, ['example.com'], 'https://stats.test')
  assert.equal(isOwn({ origin: 'https://stats.test' }), true)
  assert.equal(isOwn({ host: 'front.test:8080', origin: 'https://front.test' }), true)
  assert.equal(isOwn({ origin: 'null' }), true)
  assert.equal(isOwn({ origin: 'null', referer: 'https://evil.test/' }), false)
  assert.equal(isOwn({ host: 'front.test', origin: 'https://evil.test' }), false)
  assert.equal(isOwn({ origin: 'https://sub.stats.test' }), false)
})
