import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../kernel/problem.ts'
import { clauseCondition } from './clause-sql.ts'
import { clauseIds } from './dimensions.ts'
import { foldedColumn } from '../stores/session-columns.ts'
import { type ClauseInput, describeClause, type Goal, numberOperators, parseClauses, textOperators } from './clauses.ts'

function refusal(asks: readonly ClauseInput[]): Problem {
  try {
    parseClauses(asks)
  } catch (error) {
    if (error instanceof Problem) return error
  }
  return assert.fail('nothing was refused')
}

test('what is wrong with a clause is refused by the name of the part', () => {
  const wrong: [field: string, clause: ClauseInput][] = [
    ['clauses.0.id', { id: 'colour', op: 'equals', value: 'red' }],
    ['clauses.0.id', { id: 'constructor', op: 'equals', value: 'x' }],
    ['clauses.0.op', { id: 'country', op: 'like', value: 'x' }],
    ['clauses.0.op', { id: 'country', op: 'gt', value: '1' }],
    ['clauses.0.op', { id: 'event_value_num', op: 'contains', value: '1' }],
    ['clauses.0.value', { id: 'country', op: 'equals' }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: null }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: [] }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: [['x']] }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: { x: 1 } }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: 'x'.repeat(2049) }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: Array.from({ length: 101 }, () => 'x') }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: 'a\0b' }],
    ['clauses.0.value', { id: 'country', op: 'equals', value: '\ud800' }],
    ['clauses.0.value', { id: 'event_value_num', op: 'gt', value: 'many' }],
    ['clauses.0.value', { id: 'event_value_num', op: 'gt', value: '' }],
    // Numbers to JavaScript, but no event value of this form has a number to compare with.
    ['clauses.0.value', { id: 'event_value_num', op: 'gt', value: '0x10' }],
    ['clauses.0.value', { id: 'event_value_num', op: 'equals', value: [3, '0b11'] }],
    ['clauses.0.value', { id: 'event_value_num', op: 'lt', value: '1e999' }],
  ]
  for (const [field, clause] of wrong) {
    const problem = refusal([clause])
    assert.equal(problem.status, 422)
    assert.deepEqual(Object.keys(problem.errors ?? {}), [field], JSON.stringify(clause))
  }
  assert.match(refusal([{ id: 'colour', op: 'equals', value: 'red' }]).message, /"colour"/)
  assert.equal(refusal(Array.from({ length: 51 }, () => ({ id: 'country', op: 'is_set' }))).status, 422)
})

test('scalars of every kind are compared as their text', () => {
  const [clause] = parseClauses([{ id: 'event_value', op: 'equals', value: [12.5, true, 'x'] }])
  assert.deepEqual(clause?.values, ['12.5', 'true', 'x'])
})

const goal: Goal = { id: 'cv_1', name: 'Leads', event_type: 'event', event_value: 'a name that is bound' }
const goals = new Map([[goal.id, goal]])

const anyClause = fc.constantFrom(...clauseIds.filter((id) => id !== 'conversion')).chain((id) =>
  fc.record({
    id: fc.constant(id),
    op: fc.constantFrom(...(id === 'event_value_num' ? numberOperators : textOperators)),
    value:
      id === 'event_value_num'
        ? fc.double({ noNaN: true, noDefaultInfinity: true })
        : fc.string({ minLength: 8, maxLength: 20 }),
  }),
)

test('no value is ever part of a statement, and every parameter that one names is bound', () => {
  fc.assert(
    fc.property(fc.array(anyClause, { maxLength: 10 }), fc.boolean(), (asks, hasGoal) => {
      const named = hasGoal ? [{ id: 'conversion', op: 'equals', value: goal.id }] : []
      const usable = [...asks, ...named].filter((ask) => typeof ask.value === 'number' || !ask.value.includes('\0'))
      const { sql, params } = clauseCondition(parseClauses(usable, goals), foldedColumn)
      const bound = new Set([...sql.matchAll(/\{((?:clause|value_clause)_\w+):/g)].map((match) => match[1]))
      assert.ok(!sql.includes(goal.event_value ?? ''))
      for (const name of bound) assert.ok(name !== undefined && name in params)
      // The text depends on ids and operators alone: with other values it is the same.
      const others = usable.map(({ id, op, value }) => ({
        id,
        op,
        value: id === 'conversion' ? value : typeof value === 'number' ? 7 : 'otherwise',
      }))
      assert.equal(clauseCondition(parseClauses(others, goals), foldedColumn).sql, sql)
    }),
  )
})

test('filters are described in words', () => {
  const [one, many, none] = parseClauses([
    { id: 'country', op: 'equals', value: 'France' },
    { id: 'page_path', op: 'not_contains', value: ['/a', '/b'] },
    { id: 'contact_id', op: 'is_set' },
  ]).map(describeClause)
  assert.deepEqual(one, { id: 'country', op: 'equals', value: 'France', label: 'Country is France' })
  assert.deepEqual(many, {
    id: 'page_path',
    op: 'not_contains',
    value: ['/a', '/b'],
    label: 'Page does not contain /a or /b',
  })
  const [of] = parseClauses([{ id: 'conversion', op: 'not_equals', value: 'cv_1' }], goals).map(describeClause)
  assert.deepEqual(of, { id: 'conversion', op: 'not_equals', value: 'cv_1', label: 'Conversion is not Leads' })
  assert.deepEqual(none, { id: 'contact_id', op: 'is_set', value: null, label: 'Contact is set' })
})
