// A text is decrypted only under the same SECRET, for the same record, and unchanged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openKeys } from './keys.ts'
import { encrypt, decrypt } from './encryption.ts'

const keys = openKeys('a-secret-of-this-test-and-of-no-other')

test('what was encrypted is decrypted for the same context and no other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
      const encrypted = encrypt(keys, text, context)
      assert.equal(decrypt(keys, encrypted, context), text)
      if (other !== context) assert.equal(decrypt(keys, encrypted, other), undefined)
    }),
  )
})

test('nothing is decrypted under another secret', () => {
  const other = openKeys('another-secret-of-at-least-32-characters')
  assert.equal(decrypt(other, encrypt(keys, 'whsec_x', 'au_1'), 'au_1'), undefined)
})

test('a single changed bit, a cut text and what was never encrypted are not decrypted', () => {
  const encrypted = Buffer.from(encrypt(keys, 'whsec_0123456789', 'au_1'), 'base64url')
  for (let bit = 0; bit < encrypted.length * 8; bit++) {
    const changed = Buffer.from(encrypted)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.equal(decrypt(keys, changed.toString('base64url'), 'au_1'), undefined, `bit ${bit}`)
  }
  for (let length = 0; length < encrypted.length; length++)
    assert.equal(
      decrypt(keys, encrypted.subarray(0, length).toString('base64url'), 'au_1'),
      undefined,
      `${length} bytes`,
    )
  for (const text of ['', 'x', 'whsec_0123456789', 'ö'.repeat(99)]) assert.equal(decrypt(keys, text, 'au_1'), undefined)
})

test('the same text is encrypted differently each time and never stands in what is kept', () => {
  const encrypted = Array.from({ length: 50 }, () => encrypt(keys, 'whsec_0123456789', 'au_1'))
  assert.equal(new Set(encrypted).size, encrypted.length)
  for (const text of encrypted) assert.ok(!Buffer.from(text, 'base64url').toString('latin1').includes('whsec_'))
})
