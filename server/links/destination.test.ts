// Where a short link may lead: never to what is no web page, never with credentials, never back to a short
// link however that is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../kernel/problem.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { checkLocation, readDestination } from './destination.ts'

const OWN = ['https://go.example', 'https://footfall.example:8443/links/b', 'http://xn--mller-kva.example/kurz']

/** What is wrong, in the words of the answer; undefined when it may be. */
function faultOf(text: string, own: readonly string[] = OWN): string | undefined {
  try {
    assert.equal(readDestination(text, { urls: own }), text.trim())
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.deepEqual([error.status, Object.keys(error.errors ?? {})], [422, ['destination_url']])
    return error.message
  }
}

test('web addresses of every kind are kept as they were written', () => {
  for (const text of [
    'https://example.com',
    'HTTP://Example.COM/Path?b=2&a=1&&#frag?x',
    'https://example.com:8080/a%2Fb/%e2%82%ac?q=%20+&empty=&#/route',
    'https://müller.de/straße?größe=ä#Ü',
    'https://例子.公司/路',
    'https://xn--mller-kva.de/',
    'http://localhost:3000/landing',
    'http://192.0.2.7/x',
    'https://[2001:db8::1]:8443/x',
    'https://example.com/;v=1/a;b=c?x=y;z#f',
    'https://example.com/?next=https://go.example/abc',
    'https://example.com/user@host?mail=a@b.de',
    'https://example.com/?pattern=a\\b',
    '  https://example.com/trimmed \n',
  ])
    assert.equal(faultOf(text), undefined, text)
})

test('what is no web address is refused with the reason', () => {
  const schemes = ['', ' ', 'example.com', '//example.com', 'javascript:alert(1)', 'ftp://example.com', 'data:,x']
  for (const text of [
    ...schemes,
    'mailto:a@b.de',
    'file:///etc/passwd',
    'ht\ttps://example.com',
    'view-source:http://x',
  ])
    assert.match(faultOf(text) ?? '', /must begin with http/, text)
  for (const text of [
    'https://',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'http://?x',
    'http://#',
    'https:\\\\example.com',
    'https://\\example.com',
    'https://exa%mple.com',
    'https://1.2.3.4.5.6.7',
    'https://[::1',
    'https://example.com:99999',
    'https://a\\@b.example',
    'https://example.com/a\\b',
  ])
    assert.match(faultOf(text) ?? '', /is not a valid URL/, text)
  for (const text of [
    'https://example.com/a b',
    'https://example.com/\r\nSet-Cookie:x',
    'https://exa\tmple.com',
    'https://example.com/\0',
    'https://example.com/\ud800',
    'https://example.com/\u0085',
    'https://example.com/\u2028x',
    'https://example.com/\u200bx',
  ])
    assert.match(faultOf(text) ?? '', /blanks or control/, JSON.stringify(text))
})

test('an address with a user name or a password is refused', () => {
  for (const text of [
    'https://ann@example.com',
    'https://ann:pw@example.com/x',
    'https://:pw@example.com',
    'https://@example.com',
    'https://a%40b@example.com',
    'https://a@b@example.com?x',
  ])
    assert.match(faultOf(text) ?? '', /user name or password/, text)
})

test('an address has at most 2048 characters', () => {
  const long = `https://example.com/${'x'.repeat(2028)}`
  assert.equal(faultOf(long), undefined)
  assert.match(faultOf(`${long}x`) ?? '', /at most 2048/)
})

test('what clients would refuse as a header is refused: written out, with the UTM values, it has at most 8000 characters', () => {
  const isRefused = (destination: string, utm = {}) => {
    try {
      checkLocation(destination, utm)
      return false
    } catch (error) {
      assert.ok(error instanceof Problem, String(error))
      assert.deepEqual([error.status, Object.keys(error.errors ?? {})], [422, ['destination_url']])
      return true
    }
  }
  const long = `https://example.com/xxxxxxxx${'🎉'.repeat(664)}`
  assert.equal(isRefused(`${long}xxxx`), false, '8000')
  assert.equal(isRefused(`${long}xxxxx`), true, '8001')
  assert.equal(isRefused(long, { utm_term: 'x' }), true, 'with a value')
  assert.equal(isRefused('https://example.com/', { utm_term: '🎉'.repeat(255) }), false)
  const most = { utm_source: '🎉'.repeat(255), utm_medium: '🎉'.repeat(255), utm_term: '🎉'.repeat(255) }
  assert.equal(isRefused('https://example.com/', most), true, 'values alone')
})

test('this machine under the path of a short domain is a short link too', () => {
  for (const host of [
    'localhost',
    'LOCALHOST.',
    'www.localhost:8080',
    '127.0.0.1:8443',
    '127.3.2.1',
    '127.1',
    '0x7f000001',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:2]',
  ]) {
    for (const path of ['/links/b/abc', '//links/%62/abc+', '/x/../links/b', '/kurz/x?y', '/abcdefg', '/abcdefg+'])
      assert.match(faultOf(`http://${host}${path}`) ?? 'let through', /may not lead to a short link/, host + path)
    for (const path of ['', '/', '/links/bb/abc', '/landing', '/abcdefg/x', '/pricing?x=/links/b'])
      assert.equal(faultOf(`http://${host}${path}`), undefined, host + path)
  }
  for (const host of ['localhost.example', 'notlocalhost', '128.0.0.1', '[::2]'])
    assert.equal(faultOf(`http://${host}/links/b/abc`), undefined, host)
})

test('what lies beside a short domain is no short link', () => {
  for (const text of [
    'https://footfall.example:8443/',
    'https://footfall.example:8443/links',
    'https://footfall.example:8443/links/bb/x',
    'https://footfall.example:8443/links/a/x',
    'https://www.go.example/x',
    'https://go.example.com/x',
    'https://xgo.example/x',
    'https://example.com/go.example/x',
    'https://müller.example/lang/x',
  ])
    assert.equal(faultOf(text), undefined, text)
})

// ---------------------------------------------------------------- spellings

/** Every letter in any case. */
const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter)).join(''))

/** Any of the letters and digits percent-encoded. */
const anyEncoding = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((encode) =>
      [...text]
        .map((letter, i) => (encode[i] && /\w/.test(letter) ? `%${letter.charCodeAt(0).toString(16)}` : letter))
        .join(''),
    )

const host = (name: string) => fc.oneof(anyCase(name), anyEncoding(name))
const dot = fc.constantFrom('', '.')
const detour = fc.constantFrom('', '/.', '/%2e', '/x/..', '/x/%2E%2e', '//', '/y/z/../..')
const tail = fc.constantFrom('', '/', '/abc', '/abc?x=1', '/abc#f', '?x', '#f', '/%61bc', '/abc+', '/a/b/c')

test('no spelling of the host and the path of a short domain gets by', () => {
  const spelled = fc.oneof(
    fc
      .tuple(anyCase('https'), host('go.example'), dot, fc.constantFrom('', ':443', ':80', ':8080'), detour, tail)
      .map(([scheme, name, end, port, way, rest]) => `${scheme}://${name}${end}${port}${way}${rest}`),
    fc
      .tuple(
        host('footfall.example'),
        dot,
        fc.constantFrom(':8443', '', ':1'),
        detour,
        anyEncoding('/links'),
        detour,
        anyEncoding('/b'),
        tail,
      )
      .map(
        ([name, end, port, one, links, two, b, rest]) => `http://${name}${end}${port}${one}${links}${two}${b}${rest}`,
      ),
    fc
      .tuple(fc.constantFrom('müller', 'MÜLLER', 'mu\u0308ller', 'xn--mller-kva', 'm%C3%BCller'), dot, tail)
      .map(([name, end, rest]) => `https://${name}.example${end}/kurz${rest}`),
  )
  fc.assert(
    fc.property(spelled, (text) => {
      assert.match(faultOf(text) ?? 'let through', /may not lead to a short link/, text)
    }),
    { numRuns: 2000 },
  )
})

test('an address of a short domain is one however it is written', () => {
  const own = ['http://127.0.0.1:8080/a', 'http://[2001:db8::1]/b']
  for (const text of [
    'http://127.0.0.1:8080/a/x',
    'http://127.1:8080/a/x',
    'http://0x7f000001:8080/a/x',
    'http://2130706433:8080/a/x',
    'http://0177.0.0.1:8080/a/x',
    'http://[::ffff:127.0.0.1]:8080/a/x',
    'http://[::ffff:7f00:1]:8080/a/x',
    'https://[2001:DB8:0:0:0:0:0:1]/b/x',
  ])
    assert.match(faultOf(text, own) ?? 'let through', /may not lead to a short link/, text)
})

test('whatever the text, it is refused with a sentence or is an address that every parser reads', () => {
  const piece = fc.constantFrom(
    'http://',
    'https://',
    '/',
    '\\',
    '@',
    ':',
    '%',
    '[',
    ']',
    '.',
    'go.example',
    'ä',
    '?',
    '#',
    ' ',
    '\0',
    '\n',
    'x',
    '..',
  )
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 100 }),
    fc.array(piece).map((parts) => parts.join('')),
    fc.webUrl(),
  )
  fc.assert(
    fc.property(hostile, (text) => {
      if (faultOf(text) !== undefined) return
      const url = new URL(text)
      assert.match(url.protocol, /^https?:$/)
      assert.deepEqual([url.username, url.password, url.host === ''], ['', '', false])
    }),
    { numRuns: 3000 },
  )
})
