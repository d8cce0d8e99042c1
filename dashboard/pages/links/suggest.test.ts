// UTM values that are suggested: what is written stays, names become what can stand in an address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utmSlug } from '../../../server/links/utm-template.ts'
import { suggested } from './suggest.ts'

const none = { utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '' }

test('the purpose says source and medium, the group the campaign, and what is filled in stays', () => {
  assert.deepEqual(suggested(none, 'newsletter', 'Spring letter, 2026'), {
    ...none,
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'spring-letter-2026',
  })
  const mine = { ...none, utm_source: 'me', utm_campaign: 'x' }
  assert.deepEqual(suggested(mine, 'partner', 'Acme'), { ...mine, utm_medium: 'referral' })
  assert.equal(suggested(none, 'social', 'Mastodon').utm_source, 'mastodon')
})

test('a name of any letters becomes one word', () => {
  assert.deepEqual(['  Ça va? ', '春 2026', '---', ''].map(utmSlug), ['ca-va', '春-2026', '', ''])
})
