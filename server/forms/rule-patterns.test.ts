// Patterns of strangers over texts of strangers: what cannot take linear time is refused, and what one check
// may cost has an end.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Problem } from '../kernel/problem.ts'
import { openPatternCheck, openPatternReader } from './rule-patterns.ts'
import { findFaults, readFrozen } from './rules.ts'

const isTaken = (...patterns: string[]): boolean => {
  const reader = openPatternReader()
  try {
    for (const pattern of patterns) reader.read('p', pattern)
    return true
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return false
  }
}

test('patterns of people are taken, twenty in a form', () => {
  const patterns = [
    String.raw`^[\p{L}\p{M}' -]+$`,
    String.raw`^\d{5}(-\d{4})?$`,
    String.raw`^([A-Z]{2}\d{2}) ?(\d{4} ?){4}\d{2}$`,
    String.raw`^([01]?\d\d?|2[0-4]\d|25[0-5])(\.([01]?\d\d?|2[0-4]\d|25[0-5])){3}$`,
    '^[^<>]*$',
    '^.{0,500}$',
    '(?i)^(yes|no)$',
    '^#[0-9a-f]{6}$',
  ]
  for (const pattern of patterns) assert.ok(isTaken(pattern), pattern)
  assert.ok(isTaken(...Array.from({ length: 20 }, () => patterns[0]!)))
})

test('what would take a program without end is refused before one is made, alone or together', () => {
  const body = 'abcdefgh'.repeat(50)
  for (const pattern of [
    `(${body}){1000}`,
    '((((a{9}){9}){9}){9})',
    '(a{1000}){1000}',
    'x{1000}y{1000}z{1000}',
    String.raw`\pL`.repeat(100),
    `(?i)[${String.raw`\PL`.repeat(100)}]`,
  ])
    assert.equal(isTaken(pattern), false, pattern)
  assert.equal(isTaken(...Array.from({ length: 10 }, () => 'a'.repeat(490))), false)
  assert.throws(
    () => readFrozen({ a: 'text', b: 'text' }, { a: { 'regex[a{900}]': null }, b: { 'regex[b{900}]': null } }),
    {
      message: /^validation\.b\.regex\[b\{900\}\]: the patterns of this form are too large/,
    },
  )
})

test('catastrophic patterns come back from long texts', () => {
  const text = 'a'.repeat(20_000)
  for (const pattern of ['(a+)+$', '(a|a)*b', '(a*)*b', String.raw`(\w+\s?)*!`, '(.*a){12}b'])
    openPatternReader().read('p', pattern)
  assert.equal(openPatternCheck().test('(a+)+$', text), true)
  assert.equal(openPatternCheck().test('(a*)*b', `${text}!`), false)
})

test('all patterns of one check share what they may cost; what cannot be checked any more is a fault of its field', () => {
  const frozen = readFrozen({ a: 'text', b: 'text' }, { a: { 'regex[^a{400}]': null }, b: { 'regex[b]': null } })
  assert.equal(findFaults(frozen, { a: 'a'.repeat(1000), b: 'b' }), null)
  assert.deepEqual(
    { ...findFaults(frozen, { a: 'a'.repeat(15_000), b: 'ab' }) },
    {
      a: ['a is too long to be checked.'],
      b: ['b is too long to be checked.'],
    },
  )
  assert.equal(
    findFaults(readFrozen({ a: 'text' }, { a: { 'regex[^[^<>]*$]': null } }), { a: 'a'.repeat(20_000) }),
    null,
  )
})

test('no other engine sees a pattern of a stranger', () => {
  for (const name of ['rule-patterns', 'rule-table', 'rules']) {
    const text = readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8')
    assert.doesNotMatch(text, /new RegExp|RegExp\(/, name)
  }
})

test('ranges over all scripts that ignore case are refused before they are compiled; those of an alphabet are not', () => {
  const ranges = Array.from({ length: 70 }, (_, n) => `${String.fromCodePoint(256 + n)}-\u{1e900}`).join('')
  for (const pattern of [`(?i)[${ranges}]`, '(?i)[\\x{100}-\\x{1e900}a-\\x{1e900}]', `x(?mi)[${ranges}]`])
    assert.throws(() => openPatternReader().read('p', pattern), /too large/)
  openPatternReader().read('p', '(?i)^[a-zä-ü0-9._-]+$')
})
