// What is typed to be compared with paths is written as the parser of addresses writes paths.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { collectedPattern, upperEscapes } from './paths.ts'

const printable = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCodePoint(0x20 + at))

test('every sign is encoded exactly where an address encodes it, in the path and in a route', () => {
  for (const sign of [...printable.filter((one) => !'?#'.includes(one)), 'é', '大', '🎈']) {
    const path = `/x${sign}y`
    assert.equal(collectedPattern(path), new URL(`https://example.com${path}`).pathname, path)
    const route = `/#/x${sign}y`
    const url = new URL(`https://example.com${route}`)
    assert.equal(collectedPattern(route), url.pathname + url.hash, route)
  }
})

test('what is encoded is left so, with capitals, and stars stay', () => {
  assert.equal(collectedPattern('/low%c3%a9/*'), '/low%C3%A9/*')
  assert.equal(collectedPattern('/100%/%zz/%2'), '/100%/%zz/%2')
  assert.equal(upperEscapes('/%e2%82%ac?%zz'), '/%E2%82%AC?%zz')
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (text) => {
      const pattern = collectedPattern(`/${text.toWellFormed()}`)
      assert.equal(collectedPattern(pattern), pattern)
      assert.equal(upperEscapes(upperEscapes(text)), upperEscapes(text))
    }),
  )
})
