import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answers, Frozen } from '../forms/form-model.ts'
import { comparedTexts, describeWriting } from './writing.ts'

const frozenOf = (types: Readonly<Record<string, string>>): Frozen => ({
  fields: Object.entries(types).map(([name, type]) => ({ name, type, label: name })),
  validation: {},
})

const contact = frozenOf({ name: 'text', topic: 'select-one', terms: 'checkbox', ref: 'hidden', message: ' TextArea ' })

test('what is chosen or set is not written, and neither are two letters', () => {
  const answers: Answers = {
    name: 'Al',
    topic: 'A question about the price',
    terms: 'yes, of course',
    ref: 'https://example.com/a-long-address',
    message: 'Could you tell me more?',
  }
  assert.deepEqual(describeWriting(contact, answers), {
    fields: 5,
    writtenFields: 1,
    characters: 23,
    hasMessage: false,
    links: 0,
    hasLinkMarkup: false,
  })
  assert.equal(describeWriting(contact, { ...answers, message: 'x'.repeat(60) }).hasMessage, true)
  assert.equal(describeWriting(contact, { ...answers, name: 'x'.repeat(60) }).hasMessage, false)
})

test('links are counted, and markup of links is seen in any dress', () => {
  const about = (message: string) => describeWriting(contact, { message })
  assert.equal(about('see https://a.example and HTTP://b.example').links, 2)
  for (const spam of [
    '[url=https://x.example]x[/url]',
    '[LINK]x[/LINK]',
    '<A  target=x href=y>',
    '[x](https://y.example)',
  ])
    assert.equal(about(spam).hasLinkMarkup, true, spam)
  for (const fine of ['an <a> and a [url', 'the array a[link0]', '(https://x.example)', '< a href'])
    assert.equal(about(fine).hasLinkMarkup, false, fine)
})

test('texts are compared without regard to case and blanks, and only when there is enough of them', () => {
  const long = 'The quick brown fox jumps over the lazy dog'
  assert.deepEqual(
    comparedTexts(contact, { message: long }),
    comparedTexts(contact, { message: `  ${long.toUpperCase().replace(' ', '\n ')}` }),
  )
  assert.equal(comparedTexts(contact, { message: long.slice(0, 39) }), undefined)
  assert.equal(comparedTexts(contact, { topic: long.repeat(3) }), undefined)
})

test('fields may have the names of what every object has', () => {
  const odd = frozenOf({ constructor: 'text', toString: 'textarea', ['__proto__']: 'text' })
  assert.equal(describeWriting(odd, {}).writtenFields, 0)
  const answers: Answers = Object.assign(Object.create(null) as Answers, {
    constructor: 'a name',
    toString: ['one', 'two'],
  })
  assert.equal(describeWriting(odd, answers).characters, 'a name'.length + 'one\ntwo'.length)
})

test('texts made to take long do not', () => {
  for (const text of ['<a '.repeat(6600), '['.repeat(20_000), '<a '.padEnd(20_000, ' '), 'http'.repeat(5000)])
    assert.equal(describeWriting(contact, { message: text }).hasLinkMarkup, false)
})
