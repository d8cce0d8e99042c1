// What is sealed opens only under the same SECRET, for the same record, and unchanged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openKeys } from './keys.ts'
import { seal, unseal } from './seal.ts'

const keys = openKeys('a-secret-of-this-test-and-of-no-other')

test('what was sealed opens for the same context and no other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
      const sealed = seal(keys, text, context)
      assert.equal(unseal(keys, sealed, context), text)
      if (other !== context) assert.equal(unseal(keys, sealed, other), undefined)
    }),
  )
})

test('nothing opens under another secret', () => {
  const other = openKeys('another-secret-of-at-least-32-characters')
  assert.equal(unseal(other, seal(keys, 'whsec_x', 'au_1'), 'au_1'), undefined)
})

test('a single changed bit, a cut text and what was never sealed do not open', () => {
  const sealed = Buffer.from(seal(keys, 'whsec_0123456789', 'au_1'), 'base64url')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.equal(unseal(keys, changed.toString('base64url'), 'au_1'), undefined, `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++)
    assert.equal(unseal(keys, sealed.subarray(0, length).toString('base64url'), 'au_1'), undefined, `${length} bytes`)
  for (const text of ['', 'x', 'whsec_0123456789', 'ö'.repeat(99)]) assert.equal(unseal(keys, text, 'au_1'), undefined)
})

test('the same text is sealed differently each time and never stands in what is kept', () => {
  const sealed = Array.from({ length: 50 }, () => seal(keys, 'whsec_0123456789', 'au_1'))
  assert.equal(new Set(sealed).size, sealed.length)
  for (const text of sealed) assert.ok(!Buffer.from(text, 'base64url').toString('latin1').includes('whsec_'))
})
