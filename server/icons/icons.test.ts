import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { domainIcon, flagIcon, namedIcon } from './icons.ts'

const template = domainIcon('example.com')
  .replace(/hsl\(\d+/, 'hsl(0')
  .replace('>E<', '>?<')

const withoutLetter = (svg: string) => svg.replace(/hsl\(\d+/, 'hsl(0').replace(/>[\p{L}\p{N}•]</u, '>?<')

test('whatever a domain or a name holds, the icon differs in its colour and one letter alone', () => {
  const hostile = [
    '<script>',
    '"><svg onload=x>',
    '&amp;',
    '',
    '💥.com',
    'ß.de',
    '\0',
    'www.',
    'xn--bcher-kva.de',
    '-->',
    '__proto__',
    'constructor',
    '../flags/de',
  ]
  const check = (text: string) => {
    assert.equal(withoutLetter(domainIcon(text)), template, text)
    assert.equal(withoutLetter(namedIcon('browsers', text)), template, text)
    if (text.length !== 2) assert.equal(flagIcon(text), undefined)
  }
  for (const text of hostile) check(text)
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), check))
})

test('the letter is the first one that people read', () => {
  assert.match(domainIcon('www.kestrel.example'), />K</)
  assert.match(domainIcon('xn--bcher-kva.de'), />B</)
  assert.match(domainIcon('xn--e1afmkfd.xn--p1ai'), />П</)
  assert.match(namedIcon('systems', 'Windows'), />W</, 'a logo that no package gives away')
})

test('well-known sources, browsers, systems and countries have their own drawings, without anything that loads', () => {
  const drawings = [
    ...['google.com', 'www.google.co.uk', 'news.ycombinator.com', 'com.reddit.frontpage'].map(domainIcon),
    ...['Chrome', 'FIREFOX', 'Safari', 'Samsung Internet'].map((name) => namedIcon('browsers', name)),
    ...['Android', 'iOS', 'macOS', 'Chrome OS'].map((name) => namedIcon('systems', name)),
    ...['de', 'CH', 'us', 'jp'].map((code) => flagIcon(code) ?? ''),
  ]
  for (const svg of drawings) {
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>.*<\/svg>$/s)
    assert.match(svg, /<path /)
    assert.doesNotMatch(svg, /<text|<script|<image|href|url\(|\son\w+=|@import/i)
  }
  assert.equal(domainIcon('google.com'), domainIcon('www.google.co.uk'))
  assert.notEqual(domainIcon('google.com'), domainIcon('google.evil'))
  for (const code of ['xx', '', 'd', 'deu', '<s']) assert.equal(flagIcon(code), undefined)
})
