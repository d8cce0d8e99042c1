// Answers as they are read from what a page sent, and as they are stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../kernel/problem.ts'
import { readAnswers, storedAnswers } from './answers.ts'
import { findFaults, readFrozen } from '../forms/rules.ts'

const frozen = readFrozen({ a: 'text', b: 'checkbox', c: 'email' }, {})
const kindOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error.kind
  }
}

test('texts, numbers, booleans and null become texts, lists of them lists of texts', () => {
  const answers = readAnswers(frozen, { a: 1.5, b: [true, null, 0, 'x'], c: null })
  assert.deepEqual({ ...answers }, { a: '1.5', b: ['true', '', '0', 'x'], c: '' })
})

test('line breaks and unicode stay; NUL and halves of characters do not', () => {
  const { a } = readAnswers(frozen, { a: 'one\r\ntwo\tü👍\0\ud800' })
  assert.equal(a, 'one\r\ntwo\tü👍\ufffd')
})

test('a key that was not declared is a discrepancy, a nested value is not valid; neither names a value', () => {
  for (const name of ['z', 'A', ' a', 'constructor', 'toString', '__proto__']) {
    const data = JSON.parse(`{"a": {"nested": "secret"}, ${JSON.stringify(name)}: "secret"}`)
    assert.equal(
      kindOf(() => readAnswers(frozen, data)),
      'form_discrepancy',
      name,
    )
    assert.throws(() => readAnswers(frozen, data), { message: /^Data discrepancy: (?!.*secret)/ })
  }
  for (const value of [{}, { x: 'secret' }, [['secret']], [{}]])
    assert.equal(
      kindOf(() => readAnswers(frozen, { a: value })),
      'validation_failed',
    )
})

test('every field is stored in the order of the form, those that were not sent as empty texts', () => {
  const stored = storedAnswers(frozen, readAnswers(frozen, { c: 'x@example.com', b: ['1', '2'] }))
  assert.deepEqual(stored, [
    { type: 'text', name: 'a', label: 'a', value: '' },
    { type: 'checkbox', name: 'b', label: 'b', value: ['1', '2'] },
    { type: 'email', name: 'c', label: 'c', value: 'x@example.com' },
  ])
})

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 })),
)
const written = fc.oneof(
  fc.constantFrom(
    'required',
    'email',
    'min[3]',
    'in[a,b]',
    'regex[a+]',
    'matches[b]',
    'accepted',
    'max_length[2]',
    '__proto__',
  ),
  fc.string({ maxLength: 20 }),
)
const names = fc.constantFrom('a', 'b', 'constructor', 'toString', '__proto__', 'x')
const nearly = fc.dictionary(names, fc.oneof(fc.constantFrom('text', 'email', 'file'), json))
const rules = fc.dictionary(
  names,
  fc.oneof(fc.dictionary(written, fc.oneof(fc.constant(null), fc.string(), json)), json),
)

test('whatever JSON comes, there is an answer or a Problem, and nothing else changes', () => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(fc.oneof(nearly, json), fc.oneof(rules, json), fc.oneof(nearly, json), (fields, validation, data) => {
      kindOf(() => {
        const read = readFrozen(fields, validation)
        for (const each of [read, JSON.parse(JSON.stringify(read))]) {
          const sent = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
          const known = Object.entries(sent).filter(([name]) => read.fields.some((field) => field.name === name))
          const answers = readAnswers(each, Object.fromEntries(known))
          const faults = findFaults(each, answers)
          assert.ok(
            faults === null ||
              Object.values(faults)
                .flat()
                .every((text) => text.length > 0),
          )
          assert.equal(storedAnswers(each, answers).length, read.fields.length)
        }
      })
    }),
    { numRuns: 500 },
  )
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before)
})
