// Request ids: read back as what they were made of, and taken by nothing but the property, block and version
// for which they were made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openKeys } from '../kernel/keys.ts'
import { type ContentRequest, readRequestId, requestId, type RequestScope } from './request.ts'

const SECRET = 'a secret of more than thirty-two characters'
const keys = openKeys(SECRET)
const scope: RequestScope = { propertyId: 'pr_one', blockId: 'cb_one', versionId: 've_one' }

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const requests: fc.Arbitrary<ContentRequest> = fc.record(
  {
    day: fc.integer({ min: 0, max: 65_535 }),
    hash: uint64,
    nonce: uint64,
    issuedMs: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((seconds) => seconds * 1000),
    phase: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
  },
  { noNullPrototype: true },
)
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

test('an id is read back as what it was made of, by every node with the same secret', () => {
  const otherNode = openKeys(SECRET)
  fc.assert(
    fc.property(requests, (request) => {
      const id = requestId(keys, scope, request)
      assert.match(id, /^[0-9a-hjkmnp-tv-z]{56}$/)
      assert.deepEqual(readRequestId(otherNode, scope, id), request)
    }),
  )
})

test('an id is good for no other property, block or version, also where their names share their letters', () => {
  const scopes = fc.record({ propertyId: fc.string(), blockId: fc.string(), versionId: fc.string() })
  fc.assert(
    fc.property(requests, scopes, scopes, (request, made, asked) => {
      const isSame = (Object.keys(scope) as (keyof RequestScope)[]).every((name) => made[name] === asked[name])
      fc.pre(!isSame)
      assert.equal(readRequestId(keys, asked, requestId(keys, made, request)), undefined)
    }),
  )
  fc.assert(
    fc.property(requests, (request) => {
      const id = requestId(keys, scope, request)
      for (const name of Object.keys(scope)) assert.equal(readRequestId(keys, { ...scope, [name]: 'x' }, id), undefined)
      const shifted = { propertyId: 'pr_onec', blockId: 'b_one', versionId: 've_one' }
      assert.equal(readRequestId(keys, shifted, id), undefined)
    }),
  )
})

test('no flipped bit leaves an id genuine', () => {
  fc.assert(
    fc.property(requests, fc.nat(55), fc.nat(4), (request, at, bit) => {
      const id = requestId(keys, scope, request)
      const flipped = digits[digits.indexOf(id[at]!) ^ (1 << bit)]!
      assert.equal(readRequestId(keys, scope, id.slice(0, at) + flipped + id.slice(at + 1)), undefined)
    }),
  )
})

test('an id of another secret, one cut short or made longer, and a text that is none are refused', () => {
  const foreign = openKeys('another secret of more than thirty-two characters')
  fc.assert(
    fc.property(requests, fc.string(), fc.nat(55), (request, text, end) => {
      const id = requestId(keys, scope, request)
      const wrong = [requestId(foreign, scope, request), id.slice(0, end), `${id}0`, ` ${id}`, id.toUpperCase(), text]
      for (const each of wrong) if (each !== id) assert.equal(readRequestId(keys, scope, each), undefined)
    }),
  )
})
