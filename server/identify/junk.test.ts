import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
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
  [
    'user_null',
    'null1',
    'undefined42',
    'id=null',
    '{"id":null}',
    'user-undefined',
    'uid: NaN',
    'false,false',
    'null,false',
  ],
  [
    'guest_user',
    'anonymous user',
    'AnonymousUser',
    'not logged in',
    'logged-out',
    'n.a.',
    'N.A',
    '#N/A',
    '#REF!',
    '#NAME?',
  ],
  [
    '[object Object],[object Object]',
    '[object+Object]',
    'function(){}',
    'function id() { [native code] }',
    'Symbol()',
    'void 0',
  ],
  ['%7B%7Buser.id%7D%7D', '%5Bobject%20Object%5D', '%24%7Bid%7D', '%3C%25%3D id %25%3E', '%00', '%30', '%6eull'],
  ['user.id', 'user?.id', 'this.user.id', '$user->id', 'currentUser.uid', 'contact.id'],
  ['\u0660\u0660\u0660', '\u0966-\u0966', '０００', '\u{1d7d8}', '0e0', '0.0e+0', '-0E-0', '- 1', '-1.0', '1970-01-01'],
  ['1970-01-01T00:00:00.000Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'f'.repeat(32), '\ufffd', 'J\ufffdrg'],
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
  [
    'user_7',
    'user.id.7',
    'user_null_7',
    'nan-li',
    'true-false-7',
    'nullx1',
    'guest_user_7',
    'anonymous-user@example.com',
  ],
  ['1970-01-02', '1970-01-01T00:00:01Z', '0e1', '- 2', '#7', 'f'.repeat(31), 'ffffffff-ffff-ffff-ffff-fffffffffffe'],
  [
    'functional',
    'function-7',
    'symbolic',
    'void-7',
    '\u0661\u0660',
    '\u0967',
    '%7',
    '%7Bx',
    'a%2Fb',
    'na',
    'ref',
    'userid.eu',
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
    fc.stringMatching(/^[1-9\u0661-\u0669\u0967-\u096f][\d\u0660-\u0669]{0,9}$/),
    fc.stringMatching(/^(?:user|customer|member|contact)[._:-]?[1-9]\d{0,8}$/),
    fc
      .webPath({ size: 'small' })
      .filter((path) => !path.includes('%'))
      .map((path) => `https://id.example.com/u${path}`),
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
        fc.string({ unit: anyCharacter }),
        parts.map((some) => some.join('')),
      ),
      (text) => void isJunkId(text),
    ),
    { numRuns: 2000 },
  )
})
