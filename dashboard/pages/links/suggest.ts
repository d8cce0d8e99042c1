// Suggests UTM values by the purpose of a group, so that sessions get the right channel
// (docs/definitions.md).
import { utmSlug } from '../../../server/links/utm-template.ts'
import type { Purpose, UtmName } from '../../api/links.ts'

export type UtmTexts = Readonly<Record<UtmName, string>>

const byPurpose: Readonly<Record<Purpose, { readonly source: string; readonly medium: string }>> = {
  campaign: { source: '', medium: 'cpc' },
  affiliate: { source: '', medium: 'affiliate' },
  newsletter: { source: 'newsletter', medium: 'email' },
  partner: { source: '', medium: 'referral' },
  social: { source: '', medium: 'social' },
}

/** What is filled in already stays. Sources that nobody can guess are named as the group. */
export function suggested(known: UtmTexts, purpose: Purpose, groupName: string): UtmTexts {
  const { source, medium } = byPurpose[purpose]
  const slug = utmSlug(groupName)
  return {
    ...known,
    utm_source: known.utm_source || source || slug,
    utm_medium: known.utm_medium || medium,
    utm_campaign: known.utm_campaign || slug,
  }
}
