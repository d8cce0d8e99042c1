// One client, one spelling: however a proxy or a socket writes an address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { openAddressRanges, plainAddress } from './addresses.ts'

test('ports, brackets, zones, capitals and IPv4 inside IPv6 make no other client', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '203.0.113.7': [
      '203.0.113.7',
      ' 203.0.113.7 ',
      '203.0.113.7:41000',
      '::ffff:203.0.113.7',
      '::FFFF:cb00:7107',
      '[::ffff:203.0.113.7]:1',
    ],
    '2001:db8::1': ['2001:db8::1', '2001:DB8:0:0::1', '[2001:db8::1]', '[2001:0db8::1]:443', '2001:db8::1%eth0'],
    '::1': ['::1', '0:0:0:0:0:0:0:1'],
  }
  for (const [plain, texts] of Object.entries(cases))
    for (const text of texts) assert.equal(plainAddress(text), plain, text)
})

test('what is no address is none', () => {
  for (const text of [
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '1.2.3.4:',
    '1.2.3.4:x',
    '[1.2.3.4',
    '[::1',
    '::ffff:999.1.1.1',
  ])
    assert.equal(plainAddress(text), undefined, text)
})

test('whatever the text, the plain address is undefined or stays as it is', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.ipV4(), fc.ipV6(), fc.ipV4Extended())
  fc.assert(
    fc.property(text, (address) => {
      const plain = plainAddress(address)
      if (plain !== undefined) assert.equal(plainAddress(plain), plain)
    }),
  )
})

test('an address is in a range however it is written; what is no address is in none', () => {
  const isLocal = openAddressRanges(['10.0.0.0/8', 'loopback', '2001:db8::/32'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', '::1', '2001:DB8::5'])
    assert.ok(isLocal(address), address)
  for (const address of ['11.1.2.3', '2001:db9::5', '::2']) assert.ok(!isLocal(address), address)
  const isAny = openAddressRanges(['0.0.0.0/0', '::/0'])
  for (const text of [undefined, '', 'localhost', '1.2.3', '::ffff:999.1.1.1']) assert.equal(isAny(text), false)
  assert.equal(isAny('8.8.8.8'), true)
})
