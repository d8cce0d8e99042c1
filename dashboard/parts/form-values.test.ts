// What a form does with fields that somebody else changes while it is open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedOf, following } from './form-values.ts'

interface Values {
  readonly name: string
  readonly hosts: readonly string[]
  readonly days: number | null
}

const stored: Values = { name: 'A', hosts: ['a.example'], days: null }

test('only what differs from what is stored is a change', () => {
  assert.deepEqual(changedOf(stored, structuredClone(stored)), {})
  assert.deepEqual(changedOf({ ...stored, hosts: [], days: 0 }, stored), { hosts: [], days: 0 })
})

test('what is stored anew is shown where nobody typed, and what was typed stays', () => {
  const values = { ...stored, name: 'mine' }
  const now = { name: 'theirs', hosts: ['a.example', 'b.example'], days: 7 }
  const held = following({ values, base: stored }, stored, now)
  assert.deepEqual(held, { values: { ...now, name: 'mine' }, base: now })
  assert.deepEqual(changedOf(held.values, held.base), { name: 'mine' })
})

test('what was saved and is not stored anew stays as it was saved', () => {
  const saved = { ...stored, name: 'saved' }
  const held = following({ values: saved, base: saved }, stored, { ...stored, days: 7 })
  assert.deepEqual(held, { values: { ...saved, days: 7 }, base: { ...saved, days: 7 } })
})

test('what was typed while it was being saved is kept, and is a change of what is stored then', () => {
  const base = { ...stored, name: 'sent ' }
  const values = { ...base, name: 'sent and more', days: 3 }
  const held = following({ values, base }, stored, { ...stored, name: 'sent' })
  assert.deepEqual(held.values, values)
  assert.deepEqual(changedOf(held.values, held.base), { name: 'sent and more', days: 3 })
})
