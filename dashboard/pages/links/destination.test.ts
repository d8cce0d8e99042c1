// What is pasted as a destination.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withScheme } from './destination.ts'

test('an address without a scheme gets https, and whatever has one stays', () => {
  for (const [typed, address] of [
    [' example.com/offers ', 'https://example.com/offers'],
    ['//example.com', 'https://example.com'],
    ['localhost:3000/x', 'https://localhost:3000/x'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://example.com', 'HTTPS://example.com'],
    ['ftp://example.com', 'ftp://example.com'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['  ', ''],
  ] as const)
    assert.equal(withScheme(typed), address)
})
