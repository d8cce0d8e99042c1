// Which pages may show a block: those of the property's base domains, whatever is done to the address to look
// like one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { isOnBaseDomain } from './referer.ts'

const rows: readonly (readonly [domains: readonly string[], referer: string | undefined, isOn: boolean])[] = [
  [['example.com'], 'https://example.com/', true],
  [['example.com'], 'http://example.com', true],
  [['example.com'], 'https://example.com:8443/deep/path?q=1#part', true],
  [['example.com'], 'https://www.example.com/', true],
  [['example.com'], 'https://a.b.example.com/', true],
  [['www.example.com'], 'https://example.com/', true],
  [['www.example.com'], 'https://shop.example.com/', true],
  [['one.example', 'example.com'], 'https://example.com/', true],
  [['example.com'], 'https://EXAMPLE.com./', true],
  [['example.com'], 'https://user:word@example.com/', true],
  [['example.com'], undefined, false],
  [['example.com'], '', false],
  [['example.com'], 'null', false],
  [['example.com'], 'example.com', false],
  [['example.com'], '//example.com/', false],
  [['example.com'], 'about:blank', false],
  [['example.com'], 'ftp://example.com/', false],
  [['example.com'], 'android-app://example.com/', false],
  [['example.com'], 'blob:https://example.com/0', false],
  [['example.com'], 'https://example.com.evil.example/', false],
  [['example.com'], 'https://notexample.com/', false],
  [['example.com'], 'https://evil.example/example.com', false],
  [['example.com'], 'https://example.com@evil.example/', false],
  [['example.com'], 'https://example.com:word@evil.example/', false],
  [['example.com'], 'https://evil.example\\@example.com/', false],
  [['example.com'], 'https://evil.example#@example.com/', false],
  [['example.com'], 'https://example.com%2eevil.example/', false],
  [['example.com'], 'https://example.org/', false],
  [['example.com'], 'https://com/', false],
  [['example.com'], 'https://../', false],
  [['example.com'], 'https://example.com../', false],
  [[], 'https://example.com/', false],
  // Suffixes under which strangers have their names.
  [['example.co.uk'], 'https://www.example.co.uk/', true],
  [['example.co.uk'], 'https://other.co.uk/', false],
  [['one.github.io'], 'https://one.github.io/', true],
  [['one.github.io'], 'https://deep.one.github.io/', true],
  [['one.github.io'], 'https://two.github.io/', false],
  [['one.github.io'], 'https://github.io/', false],
  [['github.io'], 'https://two.github.io/', false],
  [['github.io'], 'https://github.io/', true],
  [['co.uk'], 'https://example.co.uk/', false],
  // Names that are their own base.
  [['localhost'], 'http://localhost:3000/', true],
  [['localhost'], 'http://app.localhost/', false],
  [['intranet'], 'http://intranet/', true],
  [['intranet'], 'http://other/', false],
  [['192.0.2.7'], 'http://192.0.2.7:8080/', true],
  [['192.0.2.7'], 'http://192.0.2.8/', false],
  [['192.0.2.7'], 'http://1.192.0.2.7/', false],
  [['192.0.2.7'], 'http://3221225991/', true],
  [['2001:db8::1'], 'http://[2001:DB8:0::1]/', true],
  [['2001:db8::1'], 'http://[2001:db8::2]/', false],
  // In the spelling of domains: punycode.
  [['xn--bcher-kva.example'], 'https://bücher.example/', true],
  [['xn--bcher-kva.example'], 'https://www.xn--bcher-kva.example/', true],
  [['xn--bcher-kva.example'], 'https://bucher.example/', false],
]

test('a page is on the base domain or it is not', () => {
  for (const [domains, referer, isOn] of rows)
    assert.equal(isOnBaseDomain(referer, domains), isOn, `${domains.join(' ')} ← ${referer}`)
})

test('no text of any kind is an error, or the page of a domain that it does not name', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.webUrl()), (referer) => {
      assert.equal(isOnBaseDomain(referer, ['a-domain-of-nobody.example']), false)
    }),
  )
})
