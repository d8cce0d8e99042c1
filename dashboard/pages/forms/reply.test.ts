// Whom a reply goes to, and that nothing that somebody sent adds anything else to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mailtoOf, replyTo } from './reply.ts'

const field = (name: string, type: string, value: string | string[]) => ({ name, type, label: name, value })

test('the field for email comes first, then any answer that is an email address', () => {
  const friend = field('friend', 'text', 'bob@example.com')
  const own = field('your-email', 'text', ' ada@example.com ')
  assert.equal(replyTo({ raw_fields: [friend, own] }), 'ada@example.com')
  assert.equal(replyTo({ raw_fields: [friend] }), 'bob@example.com')
  assert.equal(
    replyTo({ raw_fields: [field('email', 'email', 'no address'), field('message', 'text', 'a@b')] }),
    undefined,
  )
  assert.equal(replyTo({ raw_fields: [] }), undefined)
})

test('whatever was sent, the link is to that address alone and has one subject', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.string({ unit: 'grapheme' }), (to, subject) => {
      const url = new URL(mailtoOf(to, subject))
      assert.equal(decodeURIComponent(url.pathname), to)
      assert.deepEqual([...url.searchParams.keys()], ['subject'])
    }),
  )
  const evil = 'a?bcc=all@example.com'
  assert.deepEqual([...new URL(mailtoOf(evil, 'x')).searchParams.keys()], ['subject'])
})
