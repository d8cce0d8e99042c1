import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { domainIcon } from './icons.ts'

const template = domainIcon('example.com')
  .replace(/hsl\(\d+/, 'hsl(0')
  .replace('>E<', '>?<')

test('whatever a domain holds, the icon differs in its colour and one letter alone', () => {
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
  ]
  const check = (domain: string) =>
    assert.equal(
      domainIcon(domain)
        .replace(/hsl\(\d+/, 'hsl(0')
        .replace(/>[\p{L}\p{N}•]</u, '>?<'),
      template,
    )
  for (const domain of hostile) check(domain)
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), check))
})

test('the letter is the first one that people read', () => {
  assert.match(domainIcon('www.google.com'), />G</)
  assert.match(domainIcon('xn--bcher-kva.de'), />B</)
  assert.match(domainIcon('xn--e1afmkfd.xn--p1ai'), />П</)
})
