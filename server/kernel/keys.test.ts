// MACs are those of RFC 2104, byte for byte: ids that were given out before stay valid.
import assert from 'node:assert/strict'
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { openChance } from '../../test/support/chance.ts'
import { mac, openKeys } from './keys.ts'

/** The same by the library's own HMAC. */
function expected(key: KeyObject, parts: readonly (string | Uint8Array)[]): string {
  const made = createHmac('sha256', key)
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    made.update(length).update(bytes)
  }
  return made.digest('hex')
}

const letters = ['a', 'Z', ' ', 'ä', '√', '\u{1f600}', '\ud800', '\udc00', '\0']

test('a MAC is the HMAC of its parts, whatever they hold and however long they are', () => {
  const chance = openChance(2104)
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.below(256)))
  const text = (length: number) => Array.from({ length }, () => chance.of(letters)).join('')
  const lengths = [0, 1, 10, 14, 63, 64, 65, 300, 5_000]
  for (let round = 0; round < 2_000; round++) {
    const key = chance.is(0.5) ? openKeys(text(40))('session-id') : createSecretKey(bytes(1 + chance.below(200)))
    const parts = Array.from({ length: chance.below(5) }, () =>
      chance.is(0.5) ? text(chance.of(lengths)) : bytes(chance.of(lengths)),
    )
    assert.equal(mac(key, ...parts).toString('hex'), expected(key, parts))
    assert.equal(mac(key, ...parts).toString('hex'), expected(key, parts), 'and again')
  }
})

test('a result is not changed by the next one', () => {
  const key = openKeys('a secret of more than thirty-two characters')('view-id')
  const first = mac(key, 'first')
  const before = first.toString('hex')
  mac(key, 'second')
  assert.equal(first.toString('hex'), before)
})
