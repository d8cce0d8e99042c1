// What is said under a field begins with the field's label, never with its key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelled, labelOf, sentenceOf, withoutPath } from './field-sentences.ts'

const said = (label: string, path: string, sentence: string) => labelled(label, withoutPath(path, sentence))

test('a field is called by its label', () => {
  assert.equal(said('Name', 'name', 'name may not be empty.'), 'Name may not be empty.')
  assert.equal(said('Email', 'email', 'email must be an address.'), 'Email must be an address.')
  assert.equal(said('Your name', 'fields.2.name', 'fields.2.name is too long.'), 'Your name is too long.')
  assert.equal(said('Label', 'fields.2.label', 'label is missing.'), 'Label is missing.')
  assert.equal(said('Goal:', 'goal', 'goal: that event is not known.'), 'Goal: that event is not known.')
  assert.equal(said('Where to?', 'url', 'url must begin with https.'), 'Where to must begin with https.')
})

test('a whole sentence stays as it is', () => {
  assert.equal(said('Code', 'code', 'The code is wrong.'), 'The code is wrong.')
  assert.equal(said('Domains', 'domains', '“a b” is no host.'), '“a b” is no host.')
  assert.equal(said('Name', 'name', 'names differ.'), 'Name names differ.')
})

test('where no label is known, the sentence begins with a capital letter all the same', () => {
  assert.equal(labelled(undefined, 'may not be empty.'), 'May not be empty.')
  assert.equal(labelled(undefined, ': not known.'), 'Not known.')
  assert.equal(labelled('', 'is gone.'), 'Is gone.')
})

test('a field that the page does not show is called by its key in words', () => {
  assert.equal(labelOf('default_period'), 'Default period')
  assert.equal(labelOf('fields.3'), 'Fields')
  assert.equal(labelOf('actions.0.url'), 'Url')
  assert.equal(sentenceOf('date_from must be a day.', ['date_from', 'date_to']), 'Date from must be a day.')
  assert.equal(sentenceOf('Nothing was sent.', ['name']), 'Nothing was sent.')
})
