// The template of all mail: whatever is put in stays text, in both of its forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { type Block, button, facts, heading, type Letter, letterHtml, letterText, text } from './letter.ts'
import { oneLine } from './mail.ts'

const hostile = '<script>alert(1)</script> "quoted" \'single\' & <img src=x onerror=alert(1)>'

function letterOf(words: string): Letter {
  const table: Block = { kind: 'table', head: [words, words], rows: [[words, words]] }
  return {
    subject: words,
    title: words,
    blocks: [
      text(words),
      heading(words),
      facts([[words, words]]),
      table,
      button(words, 'https://example.com/?a=1&b="'),
    ],
    reason: words,
    unsubscribeUrl: 'https://example.com/u?x=1&y=2',
  }
}

/** The tags of a document, without what stands between them. */
const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? []

test('whatever stands in a letter is text in its HTML: no tag and no attribute comes of it', () => {
  const known = tagsOf(letterHtml(letterOf('plain')))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(hostile)), (words) => {
      // A line break becomes one of HTML.
      const tags = tagsOf(letterHtml(letterOf(words))).filter((tag) => tag !== '<br>')
      assert.deepEqual(tags, known)
    }),
    { numRuns: rounds(200, 5_000) },
  )
})

test('a letter loads nothing from anywhere', () => {
  const tags = tagsOf(letterHtml(letterOf(hostile))).join('')
  assert.doesNotMatch(tags, /<(?:img|script|link|iframe|object|form)|url\(|\ssrc=/)
  assert.doesNotMatch(letterHtml(letterOf('plain')), /url\(|@import/)
})

test('a button that leads nowhere on the web is a fault', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', ''])
    assert.throws(() => letterHtml({ ...letterOf('x'), blocks: [button('Go', url)] }), /leads nowhere/, url)
})

test('the text says all that the HTML says, addresses included', () => {
  const said = letterText({ ...letterOf('words'), title: 'The title', reason: 'The reason.' })
  for (const part of [
    'The title',
    'words',
    'https://example.com/?a=1&b="',
    'The reason.',
    'https://example.com/u?x=1&y=2',
  ])
    assert.ok(said.includes(part), part)
})

test('a subject is one line of at most 200 characters, whatever it is made of', () => {
  assert.equal(oneLine('New\r\nBcc: all@example.com\tand\u2028more\u0000'), 'New Bcc: all@example.com and more')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (words) => {
      const line = oneLine(words)
      assert.ok([...line].length <= 200 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line) && line.isWellFormed())
    }),
    { numRuns: rounds(200, 5_000) },
  )
})
