import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isJunkId } from './junk.ts'

const junk = [
  [
    'null',
    'undefined',
    'None',
    'nil',
    'NaN',
    'true',
    'false',
    '0',
    '-1',
    'anonymous',
    'guest',
    'unknown',
    'id',
    'user_id',
    'userid',
  ],
  [
    'distinct_id',
    'not set',
    '(not set)',
    'n/a',
    '[object Object]',
    '[object Promise]',
    'objectObject',
    'user-id',
    'not_authenticated',
  ],
  [
    '00000000-0000-0000-0000-000000000000',
    '000',
    '0.0',
    '0x0',
    '-',
    '--',
    '...',
    '{}',
    '[]',
    '()',
    '""',
    "''",
    '$',
    '#',
    '?',
  ],
  [
    '{{user.id}}',
    'u_{{ id }}',
    '${userId}',
    'user-${id}',
    '<%= id %>',
    '%USER_ID%',
    '#{user.id}',
    '*|EMAIL|*',
    '[[uid]]',
    '__USER_ID__',
  ],
  [
    '"null"',
    "'undefined'",
    '<null>',
    '(none)',
    '\\null',
    'undefined-undefined',
    'null:null',
    '0-null',
    'NaN_NaN',
    'ｎｕｌｌ',
  ],
].flat()

const ordinary = [
  [
    '1',
    '42',
    '10',
    '-2',
    '007',
    '100',
    '0a',
    'a0',
    'u_0',
    'user_1',
    'id-7',
    'nullable',
    'nils',
    'anna',
    'guest-42',
    'unknown7',
    'true-story',
  ],
  [
    'c0ffee00-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-000000000001',
    'a@example.com',
    'cus_9s6XKzkNRiz8i3',
    'auth0|5f7c8ec7c33c6c004bbafe82',
  ],
  [
    'Ж',
    '用户',
    '🙂',
    'user:id:7',
    '50%',
    'a%20b',
    '{7}',
    '$7',
    'o’neil',
    'nullsoft',
    'none-of-it',
    'Max',
    'id_null_7',
    'x'.repeat(255),
  ],
].flat()

test('ids that name nobody are junk', () => {
  for (const text of junk) assert.equal(isJunkId(text), true, JSON.stringify(text))
})

test('ids that somebody may have are none', () => {
  for (const text of ordinary) assert.equal(isJunkId(text), false, JSON.stringify(text))
})

test('an empty text is no id and no junk', () => {
  for (const text of ['', ' ', '\t\n']) assert.equal(isJunkId(text), false)
})

const padding = fc.constantFrom('', ' ', '\t', '\n', '\u00a0', '  ')
const quote = fc.constantFrom('', '"', "'", '`')

test('junk stays junk in every spelling: capitals, blanks and quotes around it', () => {
  const spelled = fc
    .tuple(fc.constantFrom(...junk), padding, quote, padding, fc.infiniteStream(fc.boolean()))
    .map(([word, before, sign, behind, capitals]) => {
      const letters = [...word].map((letter) =>
        capitals.next().value === true ? letter.toUpperCase() : letter.toLowerCase(),
      )
      return `${before}${sign}${letters.join('')}${sign}${behind}`
    })
  fc.assert(
    fc.property(spelled, (text) => assert.equal(isJunkId(text), true, JSON.stringify(text))),
    { numRuns: 2000 },
  )
})

test('UUIDs, numbers, ULIDs and the ids of databases are no junk', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.ulid(),
    fc.integer({ min: 1 }).map(String),
    fc.stringMatching(/^[a-f\d]{24}$/).filter((text) => !/^0+$/.test(text)),
    fc.stringMatching(/^(?:usr|cus|acct)_[A-Za-z\d]{10,20}$/),
    fc.emailAddress().filter((text) => !/[{}]|%/.test(text)),
  )
  fc.assert(
    fc.property(id, (text) => assert.equal(isJunkId(text), false, text)),
    { numRuns: 2000 },
  )
})

test('no text makes it throw or run for long', () => {
  const parts = fc.array(fc.constantFrom('{{', '[[', '*|', '__', '0', '-', ' ', 'null', '\0', '\ud800', '%', '<'), {
    maxLength: 255,
  })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        parts.map((some) => some.join('')),
      ),
      (text) => void isJunkId(text),
    ),
    { numRuns: 2000 },
  )
})
