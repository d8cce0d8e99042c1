// Click ids: parameters in the links of advertisers and mailers. Only their names are stored, never their
// values.
import type { SourceKind } from './sources.ts'

export interface Click {
  readonly param: string
  readonly source: string
  readonly kind: SourceKind | null
  /** The medium that a tagged link of this kind would have. */
  readonly medium: string
}

const click = (param: string, source: string, kind: SourceKind | null, medium: string): Click => ({
  param,
  source,
  kind,
  medium,
})

/**
 * The first one found names the source, so paid ones come first. fbclid and igsh are on every outgoing link
 * of Facebook and Instagram, paid or not: they tell the origin, not that somebody paid.
 */
export const clicks: readonly Click[] = [
  click('gclid', 'Google', 'search', 'cpc'),
  click('gbraid', 'Google', 'search', 'cpc'),
  click('wbraid', 'Google', 'search', 'cpc'),
  click('msclkid', 'Bing', 'search', 'cpc'),
  click('yclid', 'Yandex', 'search', 'cpc'),
  click('dclid', 'Google', null, 'display'),
  click('ttclid', 'TikTok', 'social', 'cpc'),
  click('twclid', 'X', 'social', 'cpc'),
  click('li_fat_id', 'LinkedIn', 'social', 'cpc'),
  click('rdt_cid', 'Reddit', 'social', 'cpc'),
  click('ScCid', 'Snapchat', 'social', 'cpc'),
  click('epik', 'Pinterest', 'social', 'cpc'),
  click('qclid', 'Quora', 'social', 'cpc'),
  click('tblci', 'Taboola', null, 'cpc'),
  click('dicbo', 'Outbrain', null, 'cpc'),
  click('irclickid', 'Impact', null, 'affiliate'),
  click('cjevent', 'CJ Affiliate', null, 'affiliate'),
  click('awc', 'Awin', null, 'affiliate'),
  click('mc_eid', 'Mailchimp', 'email', 'email'),
  click('_kx', 'Klaviyo', 'email', 'email'),
  click('srsltid', 'Google', 'shopping', 'organic'),
  click('fbclid', 'Facebook', 'social', 'referral'),
  click('igsh', 'Instagram', 'social', 'referral'),
  click('igshid', 'Instagram', 'social', 'referral'),
]

const clickParams: ReadonlySet<string> = new Set(clicks.map(({ param }) => param.toLowerCase()))

function isClick(pair: string): boolean {
  const name = pair.split('=', 1)[0]!
  try {
    return clickParams.has(decodeURIComponent(name).toLowerCase())
  } catch {
    return false // a broken encoding is none of these names
  }
}

/**
 * A query or a route without click ids, which identify single visitors.
 * @param text anything before its first question mark is kept as it is.
 */
export function withoutClickIds(text: string): string {
  const at = text.indexOf('?')
  if (at === -1) return text
  const pairs = text.slice(at + 1).split('&')
  const kept = pairs.filter((pair) => !isClick(pair))
  if (kept.length === pairs.length) return text
  return text.slice(0, at) + (kept.length === 0 ? '' : `?${kept.join('&')}`)
}
