// Messages for team chats: what people wrote is text in all of them, within each product's limits.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { chatPayloads } from '../kernel/payloads.ts'
import { chatBody } from './chat.ts'
import { type ChatMessage, messageOf } from './chat-message.ts'
import type { Run } from './envelope.ts'

const run = (fields: Readonly<Record<string, string>>, isTest = false): Run => ({
  id: 'd1',
  occurredMs: 0,
  propertyId: 'pr_1',
  automation: { id: 'au_1', name: null, event_type: 'form_submit', event_value: null },
  isTest,
  event: null,
  session: null,
  conversion: null,
  submission: {
    id: 'sb_1',
    form: { id: 'fm_1', name: 'Quotes' },
    fields,
    country: null,
    city: null,
    ip: null,
    geo: { lat: null, lon: null },
    is_bot: false,
    is_flagged: false,
    raw_fields: [],
    submitted_ts: 0,
  },
})
const BOARD = 'https://stats.example/dashboard'
const LINK = `${BOARD}/properties/pr_1/forms/fm_1?submission=sb_1`
const TELEGRAM = 'https://api.telegram.org/bot1:x/sendMessage?chat_id=-100'
const bodyOf = (payload: (typeof chatPayloads)[number], message: ChatMessage): string =>
  chatBody(payload, message, TELEGRAM)
const evil = '<!channel> <@U1> @everyone *b* _i_ [x](https://evil.example) {{DATE(x)}} <b>&"</b> `c`'

test('a message has a title, the fields, and leads to the submission; a test says that it is one', () => {
  const message = messageOf(run({ Name: 'Ada', Empty: '' }), BOARD)
  assert.deepEqual(message, { title: 'New submission: Quotes', facts: [['Name', 'Ada']], url: LINK })
  assert.equal(messageOf(run({}, true), BOARD).title, 'Test: New submission: Quotes')
  for (const payload of chatPayloads) {
    const body = bodyOf(payload, message)
    for (const part of ['New submission', 'Quotes', 'Ada']) assert.ok(body.includes(part), `${payload}: ${part}`)
    assert.ok(body.includes(LINK), payload)
  }
})

test('Slack: values are plain text, and its three characters are escaped where it reads them', () => {
  const { text, blocks } = JSON.parse(bodyOf('slack', { ...messageOf(run({ [evil]: evil }), BOARD), title: evil }))
  assert.equal(text.includes('<'), false)
  assert.match(text, /^&lt;!channel&gt;/)
  const marked = blocks.filter(({ text: { type } }: { text: { type: string } }) => type !== 'plain_text')
  assert.deepEqual(marked, [{ type: 'section', text: { type: 'mrkdwn', text: `<${LINK}|Open in Footfall>` } }])
})

test('Discord: nobody is mentioned, marks are escaped, URLs of strangers are no links', () => {
  const { embeds, allowed_mentions } = JSON.parse(bodyOf('discord', messageOf(run({ [evil]: evil }), BOARD)))
  assert.deepEqual(allowed_mentions, { parse: [] })
  const [{ name, value }] = embeds[0].fields
  for (const written of [name, value]) assert.doesNotMatch(written, /(?<!\\)[*_`[\]()<@]|https?:\/\//)
})

test('Teams: marks, functions in braces and URLs are text', () => {
  const { attachments } = JSON.parse(bodyOf('teams', messageOf(run({ [evil]: evil }), BOARD)))
  const [, { facts }] = attachments[0].content.body
  for (const written of [facts[0].title, facts[0].value])
    assert.doesNotMatch(written, /(?<!\\)[*_`[\]()]|\{\{|https?:\/\//)
  assert.deepEqual(attachments[0].content.actions, [{ type: 'Action.OpenUrl', title: 'Open in Footfall', url: LINK }])
})

test('Telegram: the chat is that of the address, and no tag comes of what was written', () => {
  const { chat_id, text, parse_mode } = JSON.parse(bodyOf('telegram', messageOf(run({ [evil]: evil }), BOARD)))
  assert.deepEqual([chat_id, parse_mode], ['-100', 'HTML'])
  assert.deepEqual(text.match(/<[^>]*>/g), ['<b>', '</b>', '<code>', '</code>', `<a href="${LINK}">`, '</a>'])
})

/** Marks, mentions, links, tags and line breaks of all five, in any order. */
const parts =
  '\\ * _ ` ~ | > # - [x](https://evil.example) <@1> <!here> @all /start {{ }} & &lt; <b> </code> " \n \r\n \u2028 🎈 a b'
const written = fc.oneof(
  fc.array(fc.constantFrom(...parts.split(' '), ' '), { maxLength: 40 }).map((some) => some.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

function always(check: (message: ChatMessage) => void): void {
  const fields = fc.dictionary(written, written, { minKeys: 1, maxKeys: 4 })
  const property = fc.property(fields, (some) => check(messageOf(run(some), BOARD)))
  fc.assert(property, { numRuns: rounds(100, 5_000) })
}

/** What stands beside escaped characters must be no mark. */
const assertNoMark = (text: string, marks: RegExp): void => assert.doesNotMatch(text.replaceAll(/\\[^]/g, ' '), marks)
const decoded = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
/** Lines that begin something. */
const beginnings = (text: string): number =>
  text.split(/[\r\n\u2028\u2029]/).filter((line) => !line.startsWith('  ')).length

describe('whatever was written', () => {
  test('is one plain text for each fact in Slack', () => {
    always((message) => {
      const { blocks } = JSON.parse(bodyOf('slack', message))
      assert.equal(blocks.length, message.facts.length + 2)
      for (const { text } of blocks.slice(1, -1))
        assert.deepEqual([text.type, beginnings(text.text)], ['plain_text', 1])
    })
  })

  test('has no mark, mention or link in Discord, and no half of a character', () => {
    always((message) => {
      for (const { name, value } of JSON.parse(bodyOf('discord', message)).embeds[0].fields)
        for (const text of [name, value]) {
          assert.ok(text.isWellFormed())
          assertNoMark(text, /[*_~`|>#[\]()<@]|:\/\//)
        }
    })
    const name = `${'_'.repeat(127)}🎈`
    const { title } = JSON.parse(bodyOf('discord', { ...messageOf(run({}), BOARD), title: `x${name}` })).embeds[0]
    assert.ok(title.isWellFormed(), 'a character was cut in half')
  })

  test('has no mark, function or link in Teams', () => {
    always((message) => {
      for (const { title, value } of JSON.parse(bodyOf('teams', message)).attachments[0].content.body[1].facts)
        for (const text of [title, value]) assertNoMark(text, /[*_[\]#`~>]|\{\{|:\/\//)
    })
  })

  test('stands in code in Telegram, as it is; no label begins a tag, a mention, a link or a line', () => {
    always((message) => {
      const { text } = JSON.parse(bodyOf('telegram', message))
      const values = [...text.matchAll(/<code>([^<]*)<\/code>/g)].map(([, value = '']) => decoded(value))
      assert.deepEqual(
        values,
        message.facts.map(([, value]) => value.replaceAll(/\r\n?|[\n\u2028\u2029\u0085\v\f]/g, '\n  ')),
      )
      const labels = text.replaceAll(/<code>[^<]*<\/code>|<a .*$/g, '')
      assert.deepEqual(labels.match(/<[^>]*>/g), ['<b>', '</b>'])
      assert.doesNotMatch(labels.replaceAll(/<\/?b>/g, ''), /[@#/](?!\u200b)|&(?!amp;|lt;|gt;|quot;)/)
      assert.equal(beginnings(text), message.facts.length + 2)
    })
  })

  test('begins no line of its own in ntfy, and leads nowhere', () => {
    always((message) => {
      const body = bodyOf('ntfy', message)
      assert.equal(beginnings(body), message.facts.length + 2)
      assert.deepEqual(body.match(/\S*:\/\/.*/g), [LINK])
    })
  })
})

test('each stays within the limits of its product, whatever was written, and is well-formed', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 3_000 })
  fc.assert(
    fc.property(fc.dictionary(texts, texts, { maxKeys: 100 }), (fields) => {
      const message = messageOf(run(fields), BOARD)
      const bodies = Object.fromEntries(chatPayloads.map((payload) => [payload, bodyOf(payload, message)]))
      for (const body of Object.values(bodies)) assert.ok(body.isWellFormed())
      const slack = JSON.parse(bodies['slack']!)
      assert.ok(
        slack.blocks.length <= 50 &&
          slack.blocks.every((one: { text: { text: string } }) => one.text.text.length <= 3_000),
      )
      const [embed] = JSON.parse(bodies['discord']!).embeds
      assert.ok(JSON.stringify(embed).length < 12_000)
      const sizes = embed.fields.flatMap((one: { name: string; value: string }) => [one.name.length, one.value.length])
      assert.ok(sizes.reduce((sum: number, size: number) => sum + size, embed.title.length) <= 6_000)
      const shown = JSON.parse(bodies['telegram']!)
        .text.replaceAll(/<[^>]*>/g, '')
        .replaceAll(/&\w+;/g, 'x')
      assert.ok(shown.length <= 4_096)
      assert.ok(Buffer.byteLength(bodies['teams']!) <= 28_000)
      assert.ok(Buffer.byteLength(bodies['ntfy']!) <= 4_096)
    }),
    {
      numRuns: rounds(100, 3_000),
      examples: [
        ['🎈', '🎈'],
        ['@./#', '://\n'],
      ].map(([label = '', value = '']) => [
        Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}${label.repeat(99)}`, value.repeat(999)])),
      ]),
    },
  )
})
