// Clicks on rows, and what the filters are after them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Clause } from '../../window.ts'
import { isChosen, toggled } from './choosing.ts'

const clause = fc.record(
  {
    id: fc.constantFrom('country', 'source'),
    op: fc.constantFrom('equals', 'not_equals', 'contains'),
    values: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
  },
  { noNullPrototype: true },
)
/** As the page makes them: one clause an id and operator. */
const clauses = fc.uniqueArray(clause, { selector: ({ id, op }) => `${id} ${op}` })

test('a second click takes back what the first one chose, whatever else is filtered', () => {
  fc.assert(
    fc.property(clauses, fc.constantFrom('equals', 'not_equals'), (given: Clause[], op) => {
      const once = toggled(given, 'country', 'new', op)
      assert.equal(isChosen(once, 'country', 'new'), op === 'equals')
      assert.deepEqual(toggled(once, 'country', 'new', op), given)
    }),
  )
})

test('what is left out is no longer chosen, and the other way round', () => {
  const chosen = toggled([], 'source', 'Google', 'equals')
  const both = toggled(chosen, 'source', 'Bing', 'equals')
  assert.deepEqual(both, [{ id: 'source', op: 'equals', values: ['Google', 'Bing'] }])
  assert.deepEqual(toggled(both, 'source', 'Google', 'not_equals'), [
    { id: 'source', op: 'equals', values: ['Bing'] },
    { id: 'source', op: 'not_equals', values: ['Google'] },
  ])
})
