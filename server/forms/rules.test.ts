// The rules: what each takes and refuses, what is said, and which definitions are refused with which words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../kernel/problem.ts'
import { readAnswers, storedAnswers } from '../form-flow/answers.ts'
import { type AnswerValue, type Answers, type FormField, MAX_ANSWER } from './form-model.ts'
import { findFaults, frozenOf, readFrozen, rulesOf } from './rules.ts'

const faultsOf = (rule: string, value: AnswerValue, others: Answers = {}): string[] => {
  const frozen = readFrozen({ a: 'text', b: 'text' }, { a: { [rule]: null } })
  return findFaults(frozen, { ...others, a: value })?.a ?? []
}

const rows: readonly (readonly [rule: string, good: readonly AnswerValue[], bad: readonly AnswerValue[]])[] = [
  ['required', ['x', '0', 'false', ['x'], ['', 'x']], ['', ' ', '\t\n\u00a0', [], ['', ' ']]],
  [
    'email',
    ['a@example.com', ' A.b+c@sub.example.co ', 'ü@bücher.example'],
    ['a', 'a@b', '@example.com', 'a@example..com', ['a@example.com', 'b']],
  ],
  [
    'url',
    ['https://example.com', 'HTTP://a.b/c?d#e', ' https://x.test '],
    [
      'example.com',
      'ftp://x.test',
      'javascript:alert(1)',
      'https://',
      'https:x.test',
      'https://a b.test',
      'https://x.test/\nb',
    ],
  ],
  [
    'numeric',
    ['0', '-1.5', '+2', '.5', '1.', '1e5', ' 7 '],
    ['', '1,5', '0x10', 'NaN', 'Infinity', '1e999', '1 2', '--1', 'e5', '٣'].filter(Boolean),
  ],
  ['integer', ['0', '-12', '+3', '9'.repeat(50)], ['1.0', '1e3', 'x', '1 000']],
  ['min[3]', ['3', '3.0', '10', '1e1'], ['2.99', '-4', 'abc']],
  ['max[-2.5]', ['-2.5', '-3'], ['-2.4', '0', 'abc']],
  ['min_length[3]', ['abc', '👩🏽‍🚀', 'a c', ['abc', 'abcd']], ['ab', '👍👍', ['abc', 'd']]],
  ['max_length[2]', ['ab', '👍👍', '\n\n\n', ['ab', 'c']], ['abc', '👍👍👍', ['a', 'bcd']]],
  ['in[a, b ,c d]', ['a', 'b', ' c d ', ['a', 'b']], ['d', 'A', 'a,b', ['a', 'x'], 'c']],
  [String.raw`in[Berlin\, Mitte,x\\y,a]b]`, ['Berlin, Mitte', String.raw`x\y`, 'a]b'], ['Berlin', 'Mitte', 'xy']],
  ['regex[^[A-Z]{2}\\d+$]', ['AB1', 'ZZ99'], ['ab1', 'AB', 'xAB1', ['AB1', 'x']]],
  ['regex[b]', ['abc'], ['ac']],
  [
    'date',
    ['2026-01-31', '2024-02-29', '0001-01-01'],
    ['2026-02-29', '2026-13-01', '2026-1-1', '31.01.2026', '2026-01-31T00:00', '2026-00-10'],
  ],
  [
    'phone',
    ['+49 (30) 123-456', '12345', '0800/123.456', '٠١٢٣٤٥٦'],
    ['1234', '+', '1'.repeat(21), '12345x', '1+2345', 'call me'],
  ],
  ['accepted', ['on', 'YES', 'true', '1', ['on']], ['', 'off', 'no', '0', [], ['on', 'off']]],
]

test('each rule takes what it should and refuses what it should', () => {
  for (const [rule, good, bad] of rows) {
    for (const value of good) assert.deepEqual(faultsOf(rule, value), [], `${rule} takes ${JSON.stringify(value)}`)
    for (const value of bad) assert.equal(faultsOf(rule, value).length, 1, `${rule} refuses ${JSON.stringify(value)}`)
  }
})

test('an empty answer breaks required and accepted alone, and one that was not sent is empty', () => {
  for (const [rule] of rows)
    for (const value of ['', '  ', [], ['']]) {
      const needs = rule === 'required' || rule === 'accepted'
      assert.equal(faultsOf(rule, value).length, needs ? 1 : 0, `${rule}: ${JSON.stringify(value)}`)
      assert.equal(findFaults(readFrozen({ a: 'text' }, { a: { [rule]: null } }), {})?.a?.length ?? 0, needs ? 1 : 0)
    }
})

test('matches compares with another field, lists too', () => {
  assert.deepEqual(faultsOf('matches[b]', 'x', { b: 'x' }), [])
  assert.deepEqual(faultsOf('matches[b]', ['x', 'y'], { b: ['x', 'y'] }), [])
  for (const b of ['y', 'X', '', ['x', 'x'], []])
    assert.deepEqual(faultsOf('matches[b]', 'x', { b }), ['a must be the same as b.'])
  assert.equal(faultsOf('matches[b]', 'x').length, 1, 'the other was not sent')
})

test('every broken rule is told, with the message of the form or the default one, and no value is', () => {
  const secret = 'SECRET-VALUE'
  const frozen = readFrozen(
    { mail: 'email', age: 'number', c: 'text' },
    { mail: { email: 'Bitte eine Adresse.', 'max_length[3]': null }, age: { numeric: '  ', 'min[18]': '' } },
  )
  const faults = findFaults(frozen, { mail: secret, age: secret, c: secret })
  assert.deepEqual(
    { ...faults },
    {
      mail: ['Bitte eine Adresse.', 'mail may have at most 3 characters.'],
      age: ['age must be a number.', 'age must be at least 18.'],
    },
  )
  for (const [rule, , bad] of rows) assert.doesNotMatch(faultsOf(rule, bad[0]!).join(), /SECRET/)
  assert.equal(findFaults(frozen, { mail: '', age: '20' }), null)
})

test('an answer that is too long or has too many values is a fault of its own, before any rule works on it', () => {
  assert.deepEqual(faultsOf('regex[(a+)+$]', 'a'.repeat(MAX_ANSWER + 1)), ['a may have at most 20000 characters.'])
  assert.deepEqual(faultsOf('required', '👍'.repeat(MAX_ANSWER)), [], 'characters are counted, not code units')
  assert.deepEqual(
    faultsOf(
      'required',
      Array.from({ length: 101 }, () => 'x'),
    ),
    ['a may have at most 100 values.'],
  )
})

const oneOf = (text: string) => ({ a: { [text]: null } })
const configurations: readonly (readonly [fields: unknown, validation: unknown, path: string])[] = [
  [undefined, undefined, 'fields'],
  [{}, {}, 'fields'],
  [[], [], 'fields'],
  [['a'], {}, 'fields'],
  ['a', {}, 'fields'],
  [Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, 'text'])), {}, 'fields'],
  [{ '': 'text' }, {}, 'fields.'],
  [{ '  ': 'text' }, {}, 'fields.  '],
  [{ ['n'.repeat(121)]: 'text' }, {}, `fields.${'n'.repeat(60)}…`],
  [{ 'a\0': 'text' }, {}, String.raw`fields.a\u0000`],
  [JSON.parse('{"__proto__": "text"}'), {}, 'fields.__proto__'],
  [{ a: null }, {}, 'fields.a'],
  [{ a: { type: 'text' } }, {}, 'fields.a'],
  [{ a: 'password' }, {}, 'fields.a'],
  [{ a: ' File ' }, {}, 'fields.a'],
  [{ a: 'x'.repeat(33) }, {}, 'fields.a'],
  [{ a: 'text' }, 'required', 'validation'],
  [{ a: 'text' }, ['required'], 'validation'],
  [{ a: 'text' }, { b: {} }, 'validation.b'],
  [{ a: 'text' }, { a: 'required' }, 'validation.a'],
  [{ a: 'text' }, { a: ['required'] }, 'validation.a'],
  [{ a: 'text' }, { a: Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`min[${n}]`, null])) }, 'validation.a'],
  [{ a: 'text' }, oneOf('emial'), 'validation.a.emial'],
  [{ a: 'text' }, oneOf(''), 'validation.a.'],
  [{ a: 'text' }, oneOf('constructor'), 'validation.a.constructor'],
  [{ a: 'text' }, oneOf('toString[1]'), 'validation.a.toString[1]'],
  [{ a: 'text' }, oneOf('Required'), 'validation.a.Required'],
  [{ a: 'text' }, oneOf('required[1]'), 'validation.a.required[1]'],
  [{ a: 'text' }, oneOf('email[]'), 'validation.a.email[]'],
  [{ a: 'text' }, oneOf('min'), 'validation.a.min'],
  [{ a: 'text' }, oneOf('min[x]'), 'validation.a.min[x]'],
  [{ a: 'text' }, oneOf('min[]'), 'validation.a.min[]'],
  [{ a: 'text' }, oneOf('max[1e999]'), 'validation.a.max[1e999]'],
  [{ a: 'text' }, oneOf('min_length[x]'), 'validation.a.min_length[x]'],
  [{ a: 'text' }, oneOf('min_length[-1]'), 'validation.a.min_length[-1]'],
  [{ a: 'text' }, oneOf('max_length[1.5]'), 'validation.a.max_length[1.5]'],
  [{ a: 'text' }, oneOf('in[]'), 'validation.a.in[]'],
  [{ a: 'text' }, oneOf('in[ , ]'), 'validation.a.in[ , ]'],
  [{ a: 'text' }, oneOf('matches[z]'), 'validation.a.matches[z]'],
  [{ a: 'text' }, oneOf('matches[constructor]'), 'validation.a.matches[constructor]'],
  [{ a: 'text' }, oneOf('regex[]'), 'validation.a.regex[]'],
  [{ a: 'text' }, oneOf('regex[(]'), 'validation.a.regex[(]'],
  [{ a: 'text' }, oneOf('regex[(?=a)b]'), 'validation.a.regex[(?=a)b]'],
  [{ a: 'text' }, oneOf(String.raw`regex[(a)\1]`), String.raw`validation.a.regex[(a)\\1]`],
  [{ a: 'text' }, oneOf(`regex[${'a'.repeat(500)}]`), `validation.a.regex[${'a'.repeat(54)}…`],
  [{ a: 'text' }, { a: { required: 1 } }, 'validation.a.required'],
  [{ a: 'text' }, { a: { required: 'x'.repeat(501) } }, 'validation.a.required'],
]

test('what cannot be asked is refused when it is said, and the field and the rule are named', () => {
  for (const [fields, validation, path] of configurations)
    assert.throws(
      () => readFrozen(fields, validation),
      (error) => {
        assert.ok(error instanceof Problem, String(error))
        assert.deepEqual([error.kind, Object.keys(error.errors ?? {})], ['validation_failed', [path]], error.message)
        assert.ok(error.message.startsWith(path), error.message)
        return true
      },
      path,
    )
})

test('unknown types are texts, and what PHP makes of an empty object is one', () => {
  const frozen = readFrozen({ a: 'sparkle', b: '', c: ' Email ' }, [])
  assert.deepEqual(
    frozen.fields.map(({ name, type, label }) => [name, type, label]),
    [
      ['a', 'sparkle', 'a'],
      ['b', 'text', 'b'],
      ['c', 'Email', 'c'],
    ],
  )
  assert.deepEqual({ ...readFrozen({ a: 'text' }, { a: [] }).validation.a }, {})
  for (const none of [null, undefined]) assert.deepEqual({ ...readFrozen({ a: 'text' }, none).validation }, {})
  assert.equal(
    findFaults(readFrozen({ a: 'email' }, {}), { a: 'no address' }),
    null,
    'types imply nothing in open forms',
  )
})

test('names of everything there is work like any other', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '%', 'a b', 'a[]', 'ü', '👍', '"', '.']
  const fields = Object.fromEntries(names.map((name) => [name, 'text']))
  const frozen = readFrozen(fields, { constructor: { required: null }, toString: { 'min_length[2]': null } })
  const again = JSON.parse(JSON.stringify(frozen)) // as it comes back from the records
  for (const each of [frozen, again]) {
    assert.deepEqual(Object.keys(findFaults(each, readAnswers(each, {})) ?? {}), ['constructor'])
    const answers = readAnswers(each, { constructor: 'x', toString: 'y' })
    assert.deepEqual(Object.keys(findFaults(each, answers) ?? {}), ['toString'])
    assert.equal(storedAnswers(each, answers).length, names.length)
    assert.deepEqual(
      storedAnswers(each, readAnswers(each, {}))
        .map(({ value }) => value)
        .join(''),
      '',
    )
  }
  assert.equal(findFaults(readFrozen({ valueOf: 'text' }, {}), {}), null)
})

const field = (over: Partial<FormField>): FormField => ({
  name: 'f',
  type: 'text',
  label: 'Label',
  placeholder: null,
  help: null,
  value: null,
  options: [],
  autocomplete: null,
  rows: null,
  width: 'full',
  ...over,
})

test('in a managed form types and options imply a rule, unless one is given', () => {
  const implied = (over: Partial<FormField>, rules: Record<string, string | null> = {}) =>
    Object.keys(rulesOf(field(over), { f: rules }))
  assert.deepEqual(implied({ type: 'email' }), ['email'])
  assert.deepEqual(implied({ type: 'url' }, { required: null }), ['url', 'required'])
  assert.deepEqual(implied({ type: 'number' }), ['numeric'])
  assert.deepEqual(implied({ type: 'number' }, { integer: null }), ['integer'])
  assert.deepEqual(implied({ type: 'date' }), ['date'])
  assert.deepEqual(implied({ type: 'tel' }), ['phone'])
  assert.deepEqual(implied({ type: 'text' }), [])
  const options = [
    { value: 'a,b', label: 'A' },
    { value: 'c]', label: 'C' },
  ]
  assert.deepEqual(implied({ type: 'select', options }), [String.raw`in[a\,b,c]]`])
  assert.deepEqual(implied({ type: 'select', options }, { 'in[x]': null }), ['in[x]'])
  const frozen = frozenOf({ fields: [field({ type: 'checkbox', options })], validation: {} })
  assert.equal(findFaults(frozen, { f: ['a,b', 'c]'] }), null)
  assert.deepEqual({ ...findFaults(frozen, { f: ['a,b', 'd'] }) }, { f: ['Label must be one of the given choices.'] })
})
