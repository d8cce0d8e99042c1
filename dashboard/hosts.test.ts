// Hosts out of whatever is pasted into the field for domains.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsIn } from './hosts.ts'

test('schemes, ports and paths are taken off, one host per line or with commas between', () => {
  assert.deepEqual(hostsIn('https://shop.example:8443/cart?a=b#c, 127.0.0.1:8191\n[::1]:8080 http://a.example'), [
    'shop.example',
    '127.0.0.1',
    '[::1]',
    'a.example',
  ])
  assert.deepEqual(hostsIn(' ,\n::1'), ['::1'])
})

test('what is no host stays as it was typed, for the service to say so', () => {
  assert.deepEqual(hostsIn('a.com:x'), ['a.com:x'])
})
