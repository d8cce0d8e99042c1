// Days as the facts can hold them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LAST_DAY, storedDay } from './days.ts'

test('a day that the facts cannot hold is the first or the last that they can', () => {
  const days = [-Infinity, -1, 0, 1, LAST_DAY, LAST_DAY + 1, Infinity].map(storedDay)
  assert.deepEqual(days, [
    '1970-01-01',
    '1970-01-01',
    '1970-01-01',
    '1970-01-02',
    '2149-06-06',
    '2149-06-06',
    '2149-06-06',
  ])
})
