import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { inboxOf, readEmail } from './email.ts'

const keyOf = (text: string) => readEmail(text)?.key

test('an address is kept as it was written, and compared in lower case with its domain in ASCII', () => {
  assert.deepEqual(readEmail(' Ann.Lee+news@Example.COM\n'), {
    text: 'Ann.Lee+news@Example.COM',
    key: 'ann.lee+news@example.com',
  })
  for (const [text, key] of [
    ['a@MÜLLER.de', 'a@xn--mller-kva.de'],
    ['a@xn--mller-kva.de', 'a@xn--mller-kva.de'],
    ['a@mu\u0308ller.de', 'a@xn--mller-kva.de'],
    ['用户@例子。公司', '用户@xn--fsqu00a.xn--55qx5d'],
    ['E\u0301va@example.com', '\u00e9va@example.com'],
    ["o'neil_{x}|y/z=w~!#$%&*?^`-@sub.example.museum", "o'neil_{x}|y/z=w~!#$%&*?^`-@sub.example.museum"],
  ] as const)
    assert.equal(keyOf(text), key, text)
})

test('what is no address of somebody on the internet is refused', () => {
  const long = 'x'.repeat(63)
  const texts = [
    ['', '@', 'a', 'a@', '@b.de', 'a@b', 'a b@c.de', 'a@b c.de', 'a@b..de', 'a@.b.de', 'a@b.de.', 'a@-b.de', 'a@b-.de'],
    [
      'a@1.2.3.4',
      'a@[1.2.3.4]',
      'a@0x7f.1',
      'a@b.123',
      'a@b.c',
      'a@ex%61mple.com',
      'a@b_c.de',
      'a@b.de/x',
      'a@b.de:25',
      'a@b.de?x',
    ],
    [
      '"a b"@c.de',
      'a,b@c.de',
      'a<b@c.de',
      '<a@b.de>',
      'a@b.de,c@d.de',
      'a@b@c.de',
      'mailto:a@b.de',
      'a(x)@b.de',
      'a;b@c.de',
      'a..b@c.co',
      '.a@c.co',
      'a.@c.co',
      '.@c.co',
    ],
    [
      'a\0@b.de',
      'a@b.de\0',
      'a\n@b.de',
      'a@b\u200b.de',
      'a\u202eb@c.de',
      '\ud800@b.de',
      'a@\udc00.de',
      'a@xn--\u00e9.de',
    ],
    [`${long}xx@b.de`, `${'é'.repeat(33)}@b.de`, `a@x${long}.de`, `a@${`${long}.`.repeat(4)}de`],
  ].flat()
  for (const text of texts) assert.equal(readEmail(text), undefined, JSON.stringify(text))
})

test('an address has at most 255 characters', () => {
  const label = (length: number) => `${'x'.repeat(length)}.`
  const domain = `${label(63)}${label(63)}${label(61)}com`
  assert.equal(domain.length, 193)
  const local = 'l'.repeat(255 - 1 - domain.length)
  assert.equal(readEmail(`${local}@${domain}`)?.text.length, 255)
  assert.equal(readEmail(`${local}l@${domain}`), undefined)
})

const word = fc.stringMatching(/^[a-z\d]{1,20}$/)
const address = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z\d+_-]{1,20}(?:\.[A-Za-z\d+_-]{1,10}){0,2}$/),
    fc.array(word, { minLength: 1, maxLength: 3 }),
  )
  .map(([local, labels]) => `${local}@${labels.join('.')}.com`)

test('every ordinary address is one, its capitals and the blanks around it change nothing, and its key is its own key', () => {
  fc.assert(
    fc.property(address, fc.constantFrom('', ' ', '\t\n'), (text, blanks) => {
      const email = readEmail(text)
      assert.equal(email?.text, text)
      assert.equal(keyOf(`${blanks}${text.toUpperCase()}${blanks}`), email.key)
      assert.equal(keyOf(email.key), email.key)
    }),
  )
})

test('no text at all makes it throw or take long, and whatever it accepts has no blank, control or sign of another syntax', () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc
      .array(fc.constantFrom('@', '.', 'a', '-', 'é', '。', '\u200d', '"', '<', ' ', '\0', '%'), { maxLength: 300 })
      .map((parts) => parts.join('')),
    fc
      .tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
      .map(([local, label]) => `${local}@${label}.com`),
  )
  fc.assert(
    fc.property(hostile, (text) => {
      const email = readEmail(text)
      if (!email) return
      assert.doesNotMatch(email.text, /[\s\p{Cc}\p{Cs}"<>(),:;\\[\]]/u)
      assert.equal(keyOf(email.key), email.key)
    }),
    { numRuns: 2000 },
  )
})

test('spellings of one mailbox are one inbox, and different mailboxes are not', () => {
  const inbox = (text: string): string => inboxOf(readEmail(text)!)
  for (const text of ['Ada@example.org', 'ada+shop@example.org', 'ADA+a+b.c@EXAMPLE.org'])
    assert.equal(inbox(text), 'ada@example.org', text)
  for (const text of ['a.da@gmail.com', 'ada+1@googlemail.com', 'A.D.A@Gmail.com'])
    assert.equal(inbox(text), 'ada@gmail.com', text)
  const others = ['a.da@example.org', '+ada@example.org', '+bob@example.org', 'ada@sub.example.org', 'bob@gmail.com']
  assert.equal(new Set([...others, 'ada@example.org', 'ada@gmail.com'].map(inbox)).size, 7)
})
