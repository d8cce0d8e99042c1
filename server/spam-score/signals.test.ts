import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readSignals } from './signals.ts'

test('numbers, numbers in text, true and false are read; what was not sent is not known', () => {
  assert.deepEqual(
    readSignals({ dur: 1200.5, gt: 'focus', k: '12', f: 3, m: 1, s: false, t: ' 2 ', w: 'false', p: 5, l: 2 }),
    {
      isReadable: true,
      durationMs: 1200.5,
      trigger: 'focus',
      keystrokes: 12,
      focuses: 3,
      hasMoved: true,
      hasScrolled: false,
      touched: 2,
      isAutomated: false,
      plugins: 5,
      languages: 2,
    },
  )
  assert.deepEqual(readSignals({ k: 0, dur: null, other: { x: 1 } }), { isReadable: true, keystrokes: 0 })
  assert.equal(readSignals({ w: true })?.isAutomated, true)
  assert.equal(readSignals({ w: '1' })?.isAutomated, true)
})

test('none at all is something else than some that cannot be read', () => {
  for (const none of [undefined, null, {}]) assert.equal(readSignals(none), undefined)
  const unreadable = [
    'x',
    7,
    [],
    [1],
    true,
    { k: 'many' },
    { k: {} },
    { k: [3] },
    { dur: '0x10' },
    { dur: Number.NaN },
    { dur: 1e300 },
    { w: 'yes' },
    { gt: {} },
  ]
  for (const value of unreadable) assert.deepEqual(readSignals(value), { isReadable: false }, JSON.stringify(value))
})

test('no JSON makes it throw, and it holds nothing but what it promises', () => {
  const member = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.string(), fc.jsonValue())
  const names = ['dur', 'gt', 'k', 'f', 'm', 's', 't', 'w', 'p', 'l', '__proto__', 'constructor']
  const someSignals = fc.dictionary(fc.constantFrom(...names), member)
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), someSignals), (value) => {
      const signals = readSignals(value)
      for (const [name, each] of Object.entries(signals ?? {})) {
        const isFlag = /^(is|has)/.test(name)
        assert.equal(typeof each, name === 'trigger' ? 'string' : isFlag ? 'boolean' : 'number', name)
        if (typeof each === 'number') assert.ok(Number.isFinite(each))
      }
    }),
    { numRuns: 1000 },
  )
})
