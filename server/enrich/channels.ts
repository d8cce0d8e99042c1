// The channel of a visit: the rules of Google Analytics 4's default channel group in their order
// (https://support.google.com/analytics/answer/9756891), plus AI assistants beside the organic channels. The
// API answers the id as channel_category and the label as channel_name; `channel` has both.
import type { SourceKind } from './sources.ts'

export const channels = [
  { id: 'direct', label: 'Direct' },
  { id: 'cross_network', label: 'Cross-network' },
  { id: 'paid_shopping', label: 'Paid Shopping' },
  { id: 'paid_search', label: 'Paid Search' },
  { id: 'paid_social', label: 'Paid Social' },
  { id: 'paid_video', label: 'Paid Video' },
  { id: 'display', label: 'Display' },
  { id: 'paid_other', label: 'Paid Other' },
  { id: 'ai_assistants', label: 'AI Assistants' },
  { id: 'organic_shopping', label: 'Organic Shopping' },
  { id: 'organic_social', label: 'Organic Social' },
  { id: 'organic_video', label: 'Organic Video' },
  { id: 'organic_search', label: 'Organic Search' },
  { id: 'referral', label: 'Referral' },
  { id: 'email', label: 'Email' },
  { id: 'affiliates', label: 'Affiliates' },
  { id: 'audio', label: 'Audio' },
  { id: 'sms', label: 'SMS' },
  { id: 'mobile_push', label: 'Mobile Push Notifications' },
  { id: 'unassigned', label: 'Unassigned' },
] as const

export type ChannelId = (typeof channels)[number]['id']

/** The label of a stored channel; an unknown id of a later version is shown as it is. */
export function channelLabel(id: string): string {
  return channels.find((channel) => channel.id === id)?.label ?? id
}

/** The inputs of the rules, all in lower case. */
export interface Traffic {
  /** The source as the link or the referrer named it. */
  readonly source: string
  /** What is known of that source. */
  readonly kind: SourceKind | null
  readonly medium: string
  readonly campaign: string
}

const isPaid = ({ medium }: Traffic): boolean => /cp|^ppc$|^retargeting$|^paid/.test(medium)
const isShopping = ({ kind, campaign }: Traffic): boolean =>
  kind === 'shopping' || /(?:[^a-df-z]|^)shop|shopping/.test(campaign)
const isOneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value)

const isDisplay = isOneOf('display', 'banner', 'expandable', 'interstitial', 'cpm')
const isSocial = isOneOf('social', 'social-network', 'social-media', 'sm', 'social network', 'social media')
const isReferral = isOneOf('referral', 'app', 'link')
const isEmail = isOneOf('email', 'e-mail', 'e_mail', 'e mail')
const isNone = isOneOf('', '(not set)', '(none)')

/** The order is the specification: the first matching rule decides. */
const rules: readonly (readonly [ChannelId, (traffic: Traffic) => boolean])[] = [
  ['direct', ({ source, medium }) => (source === '(direct)' || source === 'direct') && isNone(medium)],
  ['cross_network', ({ campaign }) => campaign.includes('cross-network')],
  ['paid_shopping', (traffic) => isPaid(traffic) && isShopping(traffic)],
  ['paid_search', (traffic) => isPaid(traffic) && traffic.kind === 'search'],
  ['paid_social', (traffic) => isPaid(traffic) && traffic.kind === 'social'],
  ['paid_video', (traffic) => isPaid(traffic) && traffic.kind === 'video'],
  ['display', ({ medium }) => isDisplay(medium)],
  ['paid_other', isPaid],
  ['ai_assistants', ({ kind }) => kind === 'ai'],
  ['organic_shopping', isShopping],
  ['organic_social', ({ kind, medium }) => kind === 'social' || isSocial(medium)],
  ['organic_video', ({ kind, medium }) => kind === 'video' || medium.includes('video')],
  ['organic_search', ({ kind, medium }) => kind === 'search' || medium === 'organic'],
  ['referral', ({ kind, medium }) => kind !== 'email' && isReferral(medium)],
  ['email', ({ source, kind, medium }) => kind === 'email' || isEmail(source) || isEmail(medium)],
  ['affiliates', ({ medium }) => medium === 'affiliate'],
  ['audio', ({ medium }) => medium === 'audio'],
  ['sms', ({ source, medium }) => source === 'sms' || medium === 'sms'],
  [
    'mobile_push',
    ({ source, medium }) => medium.endsWith('push') || /mobile|notification/.test(medium) || source === 'firebase',
  ],
]

export function channelOf(traffic: Traffic): ChannelId {
  return rules.find(([, holds]) => holds(traffic))?.[0] ?? 'unassigned'
}
