// What owners type: hosts in one spelling, names that can be shown, random texts that are random.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../kernel/problem.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { readDomains, readName } from './drafts.ts'
import { readHost } from '../kernel/hosts.ts'
import { randomText } from '../kernel/secrets.ts'

const hosts: readonly (readonly [given: string, stored: string | undefined])[] = [
  ['example.com', 'example.com'],
  [' Example.COM. ', 'example.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['BÜCHER.de', 'xn--bcher-kva.de'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['localhost', 'localhost'],
  ['my_host.internal', 'my_host.internal'],
  ['203.0.113.9', '203.0.113.9'],
  ['::1', '::1'],
  ['[2001:DB8:0::1]', '2001:db8::1'],
  ['a'.repeat(63) + '.de', 'a'.repeat(63) + '.de'],
  ['a'.repeat(64) + '.de', undefined],
  ['https://example.com', undefined],
  ['example.com:8080', undefined],
  ['[::1]:8080', undefined],
  ['[example.com]', undefined],
  ['example.com/path', undefined],
  ['user@example.com', undefined],
  ['*.example.com', undefined],
  ['exa mple.com', undefined],
  ['-example.com', undefined],
  ['example..com', undefined],
  ['.', undefined],
  ['', undefined],
  ['256.1.1.1', undefined],
  ['1.2.3', undefined],
  ['0x7f.1', undefined],
  ['127.1', undefined],
  ['fe80::1%eth0', undefined],
  ['exam\0ple.com', undefined],
  ['exam\nple.com', undefined],
  ['x'.repeat(100_000), undefined],
]

for (const [given, stored] of hosts)
  test(`the host ${JSON.stringify(given.slice(0, 70))} is ${stored === undefined ? 'refused' : `stored as ${stored.slice(0, 70)}`}`, () => {
    assert.equal(readHost(given), stored)
  })

test('no text makes the reading of a host throw, and what is read is read again as itself', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.domain(),
    fc.ipV4(),
    fc.ipV6(),
    fc.webUrl(),
    fc.string({ unit: fc.constantFrom('a', '.', '-', '[', ']', ':', '%', '1', 'ü', '。', '/') }),
  )
  fc.assert(
    fc.property(text, (given) => {
      const host = readHost(given)
      if (host === undefined) return
      assert.equal(readHost(host), host)
      assert.ok(host.length <= 253 && !/[A-Z\s/@\\]/.test(host), host)
    }),
  )
})

test('every domain name is a host, and is what a browser makes of it', () => {
  fc.assert(fc.property(fc.domain(), (domain) => assert.equal(readHost(domain), new URL(`http://${domain}/`).hostname)))
})

test('a port is no part of a domain, and is taken off; what only looks like one is refused', () => {
  const given = [
    '127.0.0.1:8191',
    ' Shop.example:8443 ',
    'shop.example',
    '[::1]:8080',
    '[2001:DB8::1]',
    '::2',
    'a.com:0',
  ]
  assert.deepEqual(readDomains(given), ['127.0.0.1', 'shop.example', '::1', '2001:db8::1', '::2', 'a.com'])
  for (const text of [
    ':8080',
    'a.com:',
    'a.com:x',
    'a.com:99999',
    'a.com:1:2',
    'a.com:80/path',
    '[a.com]:80',
    '[::1]:',
  ])
    assert.throws(() => readDomains([text]), /must be a host/, text)
})

test('domains are named one by one when they are refused, and kept once when they are not', () => {
  assert.deepEqual(readDomains(['a.com', 'A.com', 'b.com.']), ['a.com', 'b.com'])
  assert.throws(
    () => readDomains(['a.com', 'http://b.com', 'c d']),
    (error) =>
      error instanceof Problem &&
      assert.deepEqual(Object.keys(error.errors ?? {}), ['domains.1', 'domains.2']) === undefined,
  )
  assert.throws(() => readDomains(Array.from({ length: 51 }, (_, i) => `h${i}.com`)), /at most 50/)
})

test('names are trimmed, and refused when they are empty, too long or cannot be shown', () => {
  assert.equal(readName('  Größe 🎈 '), 'Größe 🎈')
  for (const name of ['', '   ', 'x'.repeat(121), 'a\0b', 'a\u001b[2Jb', 'a\nb', 'a\ud800b'])
    assert.throws(
      () => readName(name),
      (error) => error instanceof Problem && error.kind === 'validation_failed',
      JSON.stringify(name),
    )
})

test('random texts use the whole alphabet evenly and never repeat', () => {
  const texts = Array.from({ length: 2_000 }, () => randomText(randomBytes, 40))
  assert.equal(new Set(texts).size, texts.length)
  const counts = new Map<string, number>()
  for (const letter of texts.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // 1290 of each expected, deviation 36: eight deviations do not happen, a letter preferred by modulo (25%
  // more) does.
  for (const [letter, count] of counts) assert.ok(Math.abs(count - 1290) < 288, `${letter}: ${count}`)
})
