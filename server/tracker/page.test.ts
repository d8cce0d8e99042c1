// Headers of a page view: whatever comes is read or refused, and nothing throws.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { headerText, isEncodedBy, pathOf, readPage, readStatus, readTitle, readViewport, urlOf } from './page.ts'

/** How Node shows a header whose bytes are UTF-8. */
const asHeader = (text: string) => Buffer.from(text).toString('latin1')

test('from 1.1.0 up a library encodes its headers, below it does not', () => {
  for (const library of ['1.1.0', '1.1.1', '1.2', '2', 'v2.0.0', 'signals/1.10.3', 'signals-3', '1.1', 'something'])
    assert.ok(isEncodedBy(library), library)
  for (const library of ['1.0.9', '1.0', '1', '0.9.9', 'signals/1.0.99', 'v0'])
    assert.ok(!isEncodedBy(library), library)
})

test('an encoded title is decoded, a raw one is taken as it is, and a broken encoding stays as it came', () => {
  assert.equal(readTitle(encodeURIComponent('Größe — 大きさ 🎈'), true), 'Größe — 大きさ 🎈')
  assert.equal(readTitle('100%25', false), '100%25')
  assert.equal(readTitle('100% wool', true), '100% wool')
  assert.equal(readTitle('%E0%A4%A', true), '%E0%A4%A')
  assert.equal(readTitle(asHeader('Größe 大'), false), 'Größe 大')
  assert.equal(readTitle('Gr\u00f6\u00dfe', false), 'Größe')
  assert.equal(readTitle('', true), '')
})

test('a page is an http or https address without user name and password', () => {
  assert.equal(
    readPage(encodeURIComponent('https://example.com/a b?q=ü#x'), true)?.href,
    'https://example.com/a%20b?q=%C3%BC#x',
  )
  assert.equal(readPage('https://example.com/50%25', false)?.pathname, '/50%25')
  assert.equal(readPage('https://me:secret@example.com/', true)?.href, 'https://example.com/')
  assert.equal(readPage(encodeURIComponent('https://example.com/old'), false)?.href, 'https://example.com/old')
  for (const page of [
    '',
    'example.com',
    '/path',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'about:blank',
    'ftp://x.org/',
    '%E0%A4%A',
    'https://',
    'data:text/html,x',
  ]) {
    assert.equal(readPage(page, true), undefined, page)
  }
})

test('the path leaves out query and fragment, but for a fragment that is a route', () => {
  const paths = ['/a/b?c=1#d', '/', '/#/cart?x=1', '/app#!/users/1', '/a#/b'].map((path) =>
    pathOf(new URL(path, 'https://example.com')),
  )
  assert.deepEqual(paths, ['/a/b', '/', '/#/cart', '/app#!/users/1', '/a#/b'])
})

test('the kept address has no click ids, and no fragment but a route', () => {
  const kept = (rest: string) =>
    urlOf(new URL(rest, 'https://example.com:8443')).replace('https://example.com:8443', '')
  const cases: Readonly<Record<string, string>> = {
    '/a?x=1&y=a%20b+c': '/a?x=1&y=a%20b+c',
    '/a?gclid=1': '/a',
    '/a?x=%20&FBCLID=1&mc_eid=2&gclid&y': '/a?x=%20&y',
    '/a?%67clid=1&utm_source=b&gclidx=1': '/a?utm_source=b&gclidx=1',
    '/a?%=1': '/a?%=1',
    '/a#access_token=secret': '/a',
    '/a?x#top': '/a?x',
    '/a?gclid=1#/cart?x=1': '/a#/cart?x=1',
    '/#!/users/1': '/#!/users/1',
    '/#/a?gclid=SECRET': '/#/a',
    '/#/a?gclid=SECRET&utm_source=x': '/#/a?utm_source=x',
    '/x?y=1&FBCLID=1#!/a?x=%20&%67clid=1&y#z': '/x?y=1#!/a?x=%20&y#z',
    '/#/a?x=1&y=a%20b+c': '/#/a?x=1&y=a%20b+c',
  }
  for (const [given, expected] of Object.entries(cases)) assert.equal(kept(given), expected, given)
})

test('a status or a viewport that is none is left out', () => {
  assert.deepEqual(
    ['404', '200', undefined, 'abc', '99', '600', '2e2', '-200'].map(readStatus),
    [404, 200, 200, 200, 200, 200, 200, 200],
  )
  assert.deepEqual(readViewport('1920x1080'), { width: 1920, height: 1080 })
  assert.deepEqual(readViewport('999999x1'), { width: 65_535, height: 1 })
  for (const text of [undefined, '', 'x', '-1x5', '1.5x2', '10x', 'NaNxNaN', '1x2x3'])
    assert.equal(readViewport(text), undefined)
})

test('no text throws, and every text read is bounded and well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), fc.boolean(), (text, isEncoded) => {
      const title = readTitle(text, isEncoded)
      assert.ok([...title].length <= 512 && title.isWellFormed() && !title.includes('\0'))
      const page = readPage(text, isEncoded) ?? readPage(`https://example.com/${text}`, isEncoded)
      if (page) assert.ok(pathOf(page).length <= 2048 && urlOf(page).length <= 2048)
      assert.equal(typeof headerText(text, isEncoded), 'string')
      readViewport(text)
      readStatus(text)
      isEncodedBy(text)
    }),
    { numRuns: 500 },
  )
})
