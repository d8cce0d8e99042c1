// UTM values on destinations of every spelling: what is there stays, byte for byte; what is missing comes
// once; the result fits a header.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { utmNames, type Utm } from './link-model.ts'
import { withUtm } from './utm.ts'

const utm: Utm = { utm_source: 'letter', utm_medium: 'email' }
const both = 'utm_source=letter&utm_medium=email'

test('values are added to the query, before the fragment, and the rest stays as it was written', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['https://example.com', `https://example.com?${both}`],
    ['https://example.com/', `https://example.com/?${both}`],
    ['https://Example.COM:443/a/../b//c?', `https://Example.COM:443/a/../b//c?${both}`],
    ['https://example.com/?a=1', `https://example.com/?a=1&${both}`],
    ['https://example.com/?a=1&', `https://example.com/?a=1&${both}`],
    ['https://example.com/?a&&b==&', `https://example.com/?a&&b==&${both}`],
    ['https://example.com/?a=1;utm_source=x', `https://example.com/?a=1;utm_source=x&${both}`],
    ['https://example.com/x;utm_source=y;v=1/z', `https://example.com/x;utm_source=y;v=1/z?${both}`],
    ['https://example.com/#utm_source=x?y', `https://example.com/?${both}#utm_source=x?y`],
    ['https://example.com/?q=%2f%2F%zz%#%zz#', `https://example.com/?q=%2f%2F%zz%&${both}#%zz#`],
    [`https://example.com/?q='"<>{}|^\`[]`, `https://example.com/?q='"<>{}|^\`[]&${both}`],
    ['HTTP://example.com/?b=2&a=1&b=2', `HTTP://example.com/?b=2&a=1&b=2&${both}`],
  ]
  for (const [destination, expected] of rows) assert.equal(withUtm(destination, utm), expected)
})

test('a value that the destination has is never overwritten, however its name is spelled', () => {
  const names = ['utm_source', 'utm%5Fsource', '%75tm_source', 'UTM_Source', 'utm%5fSOURCE']
  for (const name of names) {
    for (const value of ['=mine', '=', '', '=a=b']) {
      const destination = `https://example.com/?x=1&${name}${value}&y=2#z`
      const expected = `https://example.com/?x=1&${name}${value}&y=2&utm_medium=email#z`
      assert.equal(withUtm(destination, utm), expected)
    }
  }
  // Neither is one of these that name.
  for (const name of ['xutm_source', 'utm_source+', 'utm_source%20', 'utm%255Fsource', 'utm_source%'])
    assert.ok(withUtm(`https://example.com/?${name}=1`, utm).endsWith(both), name)
})

test('with nothing to add the text is the same', () => {
  for (const destination of ['https://example.com?', 'https://example.com/?utm_source=#', 'https://e.com/a%20b?&&']) {
    assert.equal(withUtm(destination, {}), destination)
    assert.equal(withUtm(destination, { utm_term: '' }), destination)
  }
})

test('what a header cannot carry is written as a browser writes it', () => {
  const rows: readonly (readonly [string, string])[] = [
    [
      'https://bücher.example/straße?q=größe#ende→',
      'https://xn--bcher-kva.example/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe#ende%E2%86%92',
    ],
    ['https://bücher.example:8443/%C3%BC', 'https://xn--bcher-kva.example:8443/%C3%BC'],
    ['https://例え.テスト', 'https://xn--r8jz45g.xn--zckzah'],
    ['https://example.com/日本?x=日#本', 'https://example.com/%E6%97%A5%E6%9C%AC?x=%E6%97%A5#%E6%9C%AC'],
    ['https://example.com/😀?😀', 'https://example.com/%F0%9F%98%80?%F0%9F%98%80'],
    ['https://example.com/a b?c d#e f', 'https://example.com/a%20b?c%20d#e%20f'],
    ['https://example.com/\u00e9', 'https://example.com/%C3%A9'],
  ]
  for (const [destination, expected] of rows) {
    assert.equal(withUtm(destination, {}), expected)
    assert.equal(URL.parse(expected)?.href, URL.parse(destination)?.href, 'a browser ends up at the same place')
  }
})

test('names and values of any text arrive whole', () => {
  const text = 'a&b=c?d#e%f+g h\r\nLocation: x;ü😀"'
  const url = withUtm('https://example.com/?q=1', { utm_campaign: text })
  assert.equal(new URL(url).searchParams.get('utm_campaign'), text)
  assert.equal(withUtm('https://example.com/', { utm_term: '\ud800' }), 'https://example.com/?utm_term=%EF%BF%BD')
})

test('no destination, however it came into the store, breaks a header or throws', () => {
  const hostile = [
    'https://example.com/\r\nSet-Cookie: a=b',
    'https://example.com/\u0000\u007f\u0085\u2028',
    '\n https://example.com/ \t',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com\\x',
    'https:///example.com',
    '//example.com',
    'javascript:alert(1)',
    'https://ex\u00ad\r\nample.com/',
    'https://\u2024\u2024/',
    'https://example.com/\ud800',
    '',
    ' ',
  ]
  for (const destination of hostile) {
    const url = withUtm(destination, utm)
    assert.match(url, /^[\u0021-\u007e]*$/, JSON.stringify(destination))
    assert.equal(withUtm(url, utm), url, JSON.stringify(destination))
  }
  // Without two slashes a browser would stay on the short domain.
  for (const destination of [
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com',
    'https:///example.com',
  ])
    assert.equal(withUtm(destination, {}), 'https://example.com/')
})

// ---------------------------------------------------------------- any of them

const piece = fc.stringMatching(/^[\w.~!$'()*,;:@%/+-]{0,8}$/)
const utmKey = fc.constantFrom(...utmNames)
const spelled = utmKey.chain((name) =>
  fc.constantFrom(name, name.toUpperCase(), name.replace('_', '%5F'), name.replace('u', '%75')),
)
const pair = fc.tuple(fc.oneof(piece, spelled), fc.constantFrom('', '=', '=='), piece).map((parts) => parts.join(''))
const query = fc.option(
  fc.array(pair, { maxLength: 5 }).map((pairs) => `?${pairs.join('&')}`),
  { nil: '' },
)
const host = fc.constantFrom('example.com', 'EXAMPLE.com:8080', '[::1]:80', '127.0.0.1', 'xn--bcher-kva.example')
const fragment = fc.option(
  fc.stringMatching(/^[\w?&=#/%]{0,10}$/).map((text) => `#${text}`),
  { nil: '' },
)
const destinations = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HtTpS://'),
    host,
    fc.constantFrom('', '/', '/a;b=c/d'),
    query,
    fragment,
  )
  .map((parts) => parts.join(''))
const values = fc.record(
  Object.fromEntries(utmNames.map((name) => [name, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 })])),
  { requiredKeys: [] },
) as fc.Arbitrary<Utm>

/** As the tracker reads a page: the first of a name counts, in any case. */
function readNames(url: string): Map<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of new URL(url).searchParams) {
    const key = name.toLowerCase()
    if (!read.has(key)) read.set(key, value)
  }
  return read
}

test('for any destination and values: old bytes stay in place, each name has one meaning, twice is once', () => {
  fc.assert(
    fc.property(destinations, values, (destination, given) => {
      const url = withUtm(destination, given)
      const hashAt = destination.indexOf('#')
      const base = hashAt === -1 ? destination : destination.slice(0, hashAt)
      assert.ok(url.startsWith(base), 'the beginning')
      assert.ok(url.endsWith(destination.slice(base.length)), 'the fragment')
      const added = url.slice(base.length, url.length - (destination.length - base.length))
      assert.match(added, /^(?:[?&]?utm_\w+=[\w%.!~*'()-]*)?(?:&utm_\w+=[\w%.!~*'()-]*)*$/)
      const before = readNames(destination)
      const after = readNames(url)
      for (const [name, value] of before) assert.equal(after.get(name), value, 'what was there')
      for (const name of utmNames) {
        const value = given[name]?.toWellFormed()
        if (value !== undefined && !before.has(name)) assert.equal(after.get(name), value, 'what was missing')
      }
      assert.equal(after.size, new Set([...before.keys(), ...Object.keys(given)]).size, 'and nothing else')
      assert.equal(withUtm(url, given), url, 'twice')
    }),
    { numRuns: 2000 },
  )
})

test('for any text at all: a header, and no error', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: anyCharacter }), fc.webUrl({ withQueryParameters: true, withFragments: true })),
      values,
      (text, given) => {
        const url = withUtm(text, given)
        assert.match(url, /^[\u0021-\u007e]*$/)
      },
    ),
    { numRuns: 2000 },
  )
})
