// Text on its way into the store: never cut where a schema counts it as short enough, never left broken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { cleanText } from './text.ts'

test('characters are counted as schemas count them, and none is divided', () => {
  assert.equal(cleanText('🎈'.repeat(200), 255), '🎈'.repeat(200))
  assert.equal(cleanText('a🎈🎈', 2), 'a🎈')
  assert.equal(cleanText('abc', 2), 'ab')
  assert.equal(cleanText('a\0b\ud800c', 10), 'ab\ufffdc')
})

test('a text of at most `max` characters is kept whole, a longer one becomes its first `max`', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 40 }).filter((given) => !given.includes('\0'))
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 20 }), (given, max) => {
      assert.equal(cleanText(given, max), [...given].slice(0, max).join('').toWellFormed())
    }),
  )
})
