// When a link answers, and where it leads whom: dates, a limit of clicks, rules in their order, and a split
// of everybody else. And what programs are shown that ask what it leads to.
// Kept with the link as JSON; null where a link has none of it, as most have.
import type { Utm } from './link-model.ts'
import { withUtm } from './utm.ts'

export const MAX_RULES = 20
export const MAX_VARIANTS = 10
export const MAX_WEIGHT = 1000
/** Of one condition: all countries of a continent. */
export const MAX_CHOICES = 60
export const MAX_OS_NAME = 40
/** As far as anybody counts by hand, and far below what a column holds. */
export const MAX_CLICKS = 1_000_000_000
/** Whoever guesses is slowed down long before. */
export const MIN_LINK_PASSWORD = 4
export const MAX_LINK_PASSWORD = 128

export const devices = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'wearable', 'other'] as const
export type DeviceName = (typeof devices)[number]

/** All that are named must hold; of the entries of a list, one. */
export interface Condition {
  readonly device?: readonly DeviceName[]
  /** As sessions show them: iOS, Android, Windows, macOS. */
  readonly os?: readonly string[]
  /** ISO 3166, upper case. */
  readonly country?: readonly string[]
  /** `fr` is any French, `pt-BR` that of Brazil alone. */
  readonly language?: readonly string[]
  /** Unix seconds: from this moment on. */
  readonly from_ts?: number
  /** Unix seconds: before this moment. */
  readonly until_ts?: number
}

export interface Rule {
  /** Six letters and digits; clicks remember it. */
  readonly id: string
  readonly when: Condition
  readonly destination_url: string
}

export interface Variant {
  readonly id: string
  readonly destination_url: string
  /** Its share of all weights. */
  readonly weight: number
}

/** Further than any chat shows of them. */
export const MAX_CARD_TITLE = 200
export const MAX_CARD_DESCRIPTION = 500

/** What chats and social networks show of a link. */
export interface PreviewCard {
  readonly title: string
  readonly description: string | null
  readonly image_url: string | null
}

export interface LinkRules {
  /** Unix seconds; before, the link answers 404. */
  readonly starts_ts: number | null
  /** Unix seconds; from then on, the link has expired. */
  readonly ends_ts: number | null
  /** That many people are led on, then the link has expired; null: any number. */
  readonly max_clicks: number | null
  /** Where an expired link leads; null: to a page that says so. */
  readonly expired_url: string | null
  /** The first that holds decides. */
  readonly rules: readonly Rule[]
  /** Of everybody whom no rule sends elsewhere; empty: they go to the destination of the link. */
  readonly split: readonly Variant[]
  /** Milliseconds: since when the split is as it is; left out without one, and where nobody noted it. */
  readonly split_ms?: number
  /** Left out where the destination speaks for itself. */
  readonly card?: PreviewCard
}

export const noRules: LinkRules = {
  starts_ts: null,
  ends_ts: null,
  max_clicks: null,
  expired_url: null,
  rules: [],
  split: [],
}

export const isNoRules = ({ starts_ts, ends_ts, max_clicks, expired_url, rules, split, card }: LinkRules): boolean =>
  [starts_ts, ends_ts, max_clicks, expired_url].every((value) => value === null) &&
  card === undefined &&
  rules.length === 0 &&
  split.length === 0

/** @param stored the column; rules that were stored before there were limits have none. */
export const parseRules = (stored: string | null): LinkRules =>
  stored === null ? noRules : { ...noRules, ...(JSON.parse(stored) as Partial<LinkRules>) }

/** With the UTM values of the link on every destination, as a Location header has them. */
export function compiledRules(rules: LinkRules, utm: Utm): LinkRules {
  const led = <Led extends { readonly destination_url: string }>(one: Led): Led => ({
    ...one,
    destination_url: withUtm(one.destination_url, utm),
  })
  const expired = rules.expired_url === null ? null : withUtm(rules.expired_url, utm)
  return { ...rules, expired_url: expired, rules: rules.rules.map(led), split: rules.split.map(led) }
}

/** What is known of a visitor. Each is read when a rule asks for it: most cost a look-up. */
export interface Asker {
  readonly nowTs: number
  readonly device: () => string
  readonly os: () => string
  readonly country: () => string
  readonly language: () => string
}

/** Before the start, over, or the rule that decides; undefined where none does. */
export type Decision = 'early' | 'over' | Rule | undefined

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** `en-GB` speaks `en` and `en-GB`. */
const speaks = (language: string, wanted: string): boolean =>
  `${language.toLowerCase()}-`.startsWith(`${wanted.toLowerCase()}-`)

function holds({ device, os, country, language, from_ts, until_ts }: Condition, asker: Asker): boolean {
  if (from_ts !== undefined && asker.nowTs < from_ts) return false
  if (until_ts !== undefined && asker.nowTs >= until_ts) return false
  if (device && !device.some((one) => one === asker.device())) return false
  if (os && !os.some((one) => sameText(one, asker.os()))) return false
  if (country && !country.some((one) => sameText(one, asker.country()))) return false
  return !language || language.some((one) => speaks(asker.language(), one))
}

export function decide({ starts_ts, ends_ts, rules }: LinkRules, asker: Asker): Decision {
  if (ends_ts !== null && asker.nowTs >= ends_ts) return 'over'
  if (starts_ts !== null && asker.nowTs < starts_ts) return 'early'
  return rules.find(({ when }) => holds(when, asker))
}

/**
 * The variant at a place on the line that the weights divide. @param place from 0 to below 1.
 */
export function variantAt(split: readonly Variant[], place: number): Variant | undefined {
  const sum = split.reduce((total, { weight }) => total + weight, 0)
  let end = 0
  return split.find(({ weight }) => {
    end += weight
    return place * sum < end
  })
}
