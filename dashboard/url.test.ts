// The state of a page and its URL agree in both directions, whatever a reader filters by or types into the
// address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { choiceParam, type Codecs, flagParam, numberParam, optionalParam, searchWith, textParam } from './url.ts'
import {
  askOf,
  clausesParam,
  readClause,
  windowCodecs,
  type WindowState,
  withClause,
  withoutClause,
  writeClause,
} from './window.ts'

interface State {
  search: string
  page: number
  tab: 'one' | 'two'
  is_open: boolean
}

const codecs: Codecs<State> = {
  search: textParam,
  page: numberParam(1),
  tab: choiceParam(['one', 'two'], 'one'),
  is_open: flagParam,
}

const parse = (search: string): WindowState => {
  const parameters = new URLSearchParams(search)
  const read = Object.entries(windowCodecs).map(([key, codec]) => [key, codec.parse(parameters.getAll(key))])
  return Object.fromEntries(read) as WindowState
}

const word = fc.stringMatching(/^[a-z_]{1,12}$/)
const plain = { noNullPrototype: true }
const values = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 4 })
const clause = fc.record({ id: word, op: word, values }, plain)
const state: fc.Arbitrary<WindowState> = fc.record(
  {
    period: fc.constantFrom(null, 'today', 'last_12_months', 'custom'),
    date_from: fc.constantFrom(null, '2026-01-31'),
    date_to: fc.constantFrom(null, '2026-02-28'),
    f: fc.array(clause, { maxLength: 4 }),
    compare: fc.constantFrom('preceding', 'year', 'custom', 'none'),
    compare_from: fc.option(fc.string({ minLength: 1 })),
    compare_to: fc.option(fc.string({ minLength: 1 })),
    interval: fc.constantFrom(null, 'hour', 'year'),
  },
  plain,
)

test('a link reproduces the view: what was written is what is read', () => {
  fc.assert(
    fc.property(state, (given) => {
      const search = searchWith<WindowState>(windowCodecs, '', given)
      assert.deepEqual(parse(search), given)
    }),
  )
})

test('what is as usual is not in the URL, and parameters of others stay', () => {
  assert.equal(searchWith<State>(codecs, '', { search: '', page: 1, tab: 'one', is_open: false }), '')
  assert.equal(searchWith<State>(codecs, '?other=1&page=3', { page: 1 }), '?other=1')
  assert.equal(
    searchWith<State>(codecs, '?page=3&f=country:equals:DE', { search: 'a b' }),
    '?page=3&f=country:equals:DE&search=a+b',
  )
})

test('an address that somebody mangled is read as far as it makes sense', () => {
  for (const page of ['0', '-1', '1.5', 'x', '', '9999999999999']) assert.equal(codecs.page.parse([page]), 1, page)
  assert.equal(codecs.tab.parse(['three']), 'one')
  assert.deepEqual(clausesParam.parse(['', 'country', ':', 'a:b:c', 'country:is_set', ':equals:x']), [
    { id: 'a', op: 'b', values: ['c'] },
    { id: 'country', op: 'is_set', values: [] },
  ])
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readClause(text)
      if (read) assert.deepEqual(readClause(writeClause(read)), read)
      assert.equal(optionalParam.parse([text]), text)
    }),
  )
})

test('clauses are what the service takes: one value or several, none for “is known”', () => {
  const f = ['country:equals:Germany|France', 'city:contains:a|b%7Cc', 'contact_id:is_set'].map((text) =>
    readClause(text),
  )
  const { clauses } = askOf({
    period: 'today',
    date_from: null,
    date_to: null,
    f: f.filter((one) => one !== undefined),
  })
  assert.deepEqual(clauses, [
    { id: 'country', op: 'equals', value: ['Germany', 'France'] },
    { id: 'city', op: 'contains', value: ['a', 'b|c'] },
    { id: 'contact_id', op: 'is_set' },
  ])
})

test('filtering twice by one thing means either of the two; what was added can be taken away', () => {
  const germany = { id: 'country', op: 'equals', values: ['Germany'] }
  const france = { id: 'country', op: 'equals', values: ['France'] }
  const both = withClause(withClause([], germany), france)
  assert.deepEqual(both, [{ id: 'country', op: 'equals', values: ['Germany', 'France'] }])
  assert.deepEqual(withClause(both, both[0]!), both)
  const other = { id: 'country', op: 'contains', values: ['an'] }
  assert.equal(withClause([other], { ...other, values: ['er'] }).length, 2, 'of contains, both have to hold')
  assert.deepEqual(withoutClause([germany, other], germany), [other])
})
