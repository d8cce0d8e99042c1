import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openUlids } from './ulid.ts'

test('a ULID begins with its time as the specification writes it', () => {
  const ulid = openUlids({ now: () => 1469918176385, randomBytes })()
  assert.match(ulid, /^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/)
})

test('ULIDs of one maker only grow, whatever the clock and the random bytes do', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 }), { minLength: 2 }),
      fc.constantFrom(0, 0x7f, 0xff),
      (times, byte) => {
        let at = 0
        const next = openUlids({ now: () => times[at]!, randomBytes: (bytes) => Buffer.alloc(bytes, byte) })
        const made = times.flatMap((_, index) => {
          at = index
          return [next(), next()]
        })
        assert.deepEqual(made, made.toSorted())
        assert.equal(new Set(made).size, made.length)
      },
    ),
  )
})
