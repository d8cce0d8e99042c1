// What a form holds of a link's rules is sent as it was read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, emptyRule, localOf, tsOf, valuesOf } from './rules-values.ts'

test('rules that are read into a form and sent again are the same', () => {
  const rules = {
    starts_ts: 1_790_000_040,
    ends_ts: null,
    max_clicks: 100,
    used_clicks: 3,
    has_password: true,
    expired_url: 'https://example.com/',
    rules: [
      {
        id: 'abc123',
        when: {
          device: ['mobile' as const],
          os: ['Chrome OS', 'iOS'],
          country: ['FR'],
          language: ['pt-BR'],
          from_ts: 60,
        },
        destination_url: 'https://example.com/1',
      },
    ],
    split: [{ id: 'def456', destination_url: 'https://example.com/2', weight: 3 }],
  }
  const sent = changeOf(valuesOf(rules))
  const { until_ts, ...when } = sent.rules[0]!.when
  assert.equal(until_ts, null)
  const { used_clicks: _used, has_password: _has, ...stored } = rules
  assert.deepEqual({ ...sent, rules: [{ ...sent.rules[0], when }] }, stored)
})

test('lists are typed as they come, addresses without a scheme', () => {
  const [rule] = changeOf({
    starts: '',
    ends: 'nonsense',
    max_clicks: null,
    hadPassword: false,
    asksPassword: false,
    password: '',
    expired_url: '',
    rules: [{ ...emptyRule, country: ' fr;BE, ', os: 'iOS , Chrome OS', destination_url: 'example.com' }],
    split: [],
  }).rules
  assert.deepEqual(
    [rule?.when.country, rule?.when.os],
    [
      ['FR', 'BE'],
      ['iOS', 'Chrome OS'],
    ],
  )
  assert.equal(rule?.destination_url, 'https://example.com')
  assert.deepEqual([tsOf('nonsense'), tsOf(''), localOf(null)], [null, null, ''])
})

test('a password is kept, set, taken away, or refused where a new one is empty', () => {
  const none = {
    starts_ts: null,
    ends_ts: null,
    max_clicks: null,
    used_clicks: 0,
    expired_url: null,
    rules: [],
    split: [],
  }
  const sent = (has_password: boolean, asksPassword: boolean, password: string) =>
    changeOf({ ...valuesOf({ ...none, has_password }), asksPassword, password }).password
  assert.equal(sent(true, true, ''), undefined)
  assert.equal(sent(true, true, 'other'), 'other')
  assert.equal(sent(true, false, 'other'), null)
  assert.equal(sent(false, true, ''), '')
})
