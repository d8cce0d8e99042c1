import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { channelLabel, channelOf, channels, type ChannelId, type Traffic } from './channels.ts'

const traffic = (known: Partial<Traffic>): Traffic => ({
  source: 'somewhere',
  kind: null,
  medium: '',
  campaign: '',
  ...known,
})

/** Each row meets its own rule and, where it can, a later one too: the order decides. */
const rows: readonly (readonly [Partial<Traffic>, ChannelId])[] = [
  [{ source: '(direct)', medium: '(none)' }, 'direct'],
  [{ source: '(direct)', medium: '(not set)', campaign: 'shop' }, 'direct'],
  [{ source: '(direct)', medium: 'email' }, 'email'],
  [{ kind: 'search', medium: 'cpc', campaign: '18 cross-network' }, 'cross_network'],
  [{ kind: 'shopping', medium: 'ppc' }, 'paid_shopping'],
  [{ kind: 'search', medium: 'cpc', campaign: 'summer shopping' }, 'paid_shopping'],
  [{ kind: 'search', medium: 'cpc', campaign: 'workshop' }, 'paid_search'],
  [{ kind: 'search', medium: 'cpc', campaign: 'photoshop-course' }, 'paid_search'],
  [{ kind: 'search', medium: 'cpc', campaign: 'my shop' }, 'paid_shopping'],
  [{ kind: 'search', medium: 'cpc', campaign: 'eshop' }, 'paid_shopping'],
  [{ kind: 'search', medium: 'cpc' }, 'paid_search'],
  [{ kind: 'search', medium: 'cpm' }, 'paid_search'],
  [{ kind: 'social', medium: 'paid-social' }, 'paid_social'],
  [{ kind: 'social', medium: 'retargeting' }, 'paid_social'],
  [{ kind: 'video', medium: 'cpc' }, 'paid_video'],
  [{ medium: 'cpm' }, 'display'],
  [{ kind: 'social', medium: 'banner' }, 'display'],
  [{ medium: 'interstitial' }, 'display'],
  [{ medium: 'cpa' }, 'paid_other'],
  [{ kind: 'ai', medium: 'cpc' }, 'paid_other'],
  [{ kind: 'ai', medium: 'referral' }, 'ai_assistants'],
  [{ kind: 'ai', medium: 'organic' }, 'ai_assistants'],
  [{ kind: 'shopping' }, 'organic_shopping'],
  [{ kind: 'social', campaign: 'shop' }, 'organic_shopping'],
  [{ kind: 'social', medium: 'email' }, 'organic_social'],
  [{ medium: 'social-network' }, 'organic_social'],
  [{ medium: 'sm' }, 'organic_social'],
  [{ kind: 'video', medium: 'referral' }, 'organic_video'],
  [{ medium: 'my-video-ad' }, 'organic_video'],
  [{ kind: 'search' }, 'organic_search'],
  [{ medium: 'organic' }, 'organic_search'],
  [{ medium: 'referral' }, 'referral'],
  [{ medium: 'app' }, 'referral'],
  [{ medium: 'link' }, 'referral'],
  [{ medium: 'e_mail' }, 'email'],
  [{ source: 'e-mail' }, 'email'],
  [{ kind: 'email', medium: 'referral' }, 'email'],
  [{ medium: 'affiliate' }, 'affiliates'],
  [{ medium: 'audio' }, 'audio'],
  [{ source: 'sms', medium: 'push' }, 'sms'],
  [{ medium: 'sms' }, 'sms'],
  [{ medium: 'web-push' }, 'mobile_push'],
  [{ medium: 'notification-9' }, 'mobile_push'],
  [{ source: 'firebase' }, 'mobile_push'],
  [{ medium: 'flyer' }, 'unassigned'],
  [{}, 'unassigned'],
]

for (const [known, expected] of rows) {
  test(`${JSON.stringify(known)} is ${channelLabel(expected)}`, () => assert.equal(channelOf(traffic(known)), expected))
}

test('every channel can be reached, and each has one label', () => {
  const reached = new Set(rows.map(([known]) => channelOf(traffic(known))))
  assert.deepEqual(
    channels.filter(({ id }) => !reached.has(id)),
    [],
  )
  assert.equal(new Set(channels.map(({ label }) => label)).size, channels.length)
})

test('any texts have a channel', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (source, medium, campaign) => {
      assert.ok(channels.some(({ id }) => id === channelOf({ source, kind: null, medium, campaign })))
    }),
  )
})
