// Ids that prove themselves: nothing but what this server gave out for this property is ever taken for
// genuine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { readSessionId, readViewId, sessionId, viewId } from './ids.ts'
import { openKeys } from './keys.ts'

const SECRET = 'a secret of more than thirty-two characters'
const keys = openKeys(SECRET)
const property = 'pr_one'

const day = fc.integer({ min: 0, max: 65_535 })
const hash = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const view = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const sessions = fc.record({ day, hash }, { noNullPrototype: true })
const views = fc.record({ day, hash, view }, { noNullPrototype: true })
const digits = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz')

test('an id is read back as what it was made of, by every node with the same secret', () => {
  const otherNode = openKeys(SECRET)
  fc.assert(
    fc.property(views, (view) => {
      const session = { day: view.day, hash: view.hash }
      assert.deepEqual(readSessionId(otherNode, property, sessionId(keys, property, session)), session)
      assert.deepEqual(readViewId(otherNode, property, viewId(keys, property, view)), view)
    }),
  )
})

test('an id of another property is not genuine', () => {
  fc.assert(
    fc.property(
      views,
      fc.string().filter((other) => other !== property),
      (view, other) => {
        assert.equal(readSessionId(keys, property, sessionId(keys, other, view)), undefined)
        assert.equal(readViewId(keys, property, viewId(keys, other, view)), undefined)
      },
    ),
  )
})

test('an id made with another secret is not genuine', () => {
  fc.assert(
    fc.property(
      views,
      fc.string({ minLength: 32 }).filter((secret) => secret !== SECRET),
      (view, secret) => {
        const foreign = openKeys(secret)
        assert.equal(readSessionId(keys, property, sessionId(foreign, property, view)), undefined)
        assert.equal(readViewId(keys, property, viewId(foreign, property, view)), undefined)
      },
    ),
    { numRuns: 50 },
  )
})

test('no change of one character leaves an id genuine', () => {
  fc.assert(
    fc.property(views, fc.nat(), digits, (view, place, digit) => {
      for (const [id, read] of [
        [sessionId(keys, property, view), readSessionId],
        [viewId(keys, property, view), readViewId],
      ] as const) {
        const at = place % id.length
        fc.pre(id[at] !== digit)
        assert.equal(read(keys, property, id.slice(0, at) + digit + id.slice(at + 1)), undefined)
      }
    }),
  )
})

test('an id cut short, made longer, in capitals, or of the other kind is not genuine', () => {
  fc.assert(
    fc.property(views, fc.nat(), fc.string({ minLength: 1 }), (view, place, tail) => {
      const [session, page] = [sessionId(keys, property, view), viewId(keys, property, view)]
      const wrong = [session.slice(0, place % session.length), session + tail, tail + session, ` ${session}`, page]
      for (const id of wrong) assert.equal(readSessionId(keys, property, id), undefined)
      for (const id of [page.slice(0, place % page.length), page + tail, session])
        assert.equal(readViewId(keys, property, id), undefined)
      if (session !== session.toUpperCase())
        assert.equal(readSessionId(keys, property, session.toUpperCase()), undefined)
    }),
  )
})

test('no text that was made up is ever genuine, whatever its characters', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(digits, { minLength: 32, maxLength: 32 }).map((letters) => letters.join('')),
    fc.array(digits, { minLength: 40, maxLength: 40 }).map((letters) => letters.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(readSessionId(keys, property, text), undefined)
      assert.equal(readViewId(keys, property, text), undefined)
    }),
    { numRuns: 1000 },
  )
})

test('ids of different sessions differ, and each has one spelling', () => {
  fc.assert(
    fc.property(sessions, sessions, (a, b) => {
      const same = a.day === b.day && a.hash === b.hash
      assert.equal(sessionId(keys, property, a) === sessionId(keys, property, b), same)
      assert.match(sessionId(keys, property, a), /^[0-9a-hjkmnp-tv-z]{32}$/)
    }),
  )
})
