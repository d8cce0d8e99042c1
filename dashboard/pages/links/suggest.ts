// Suggests UTM values by the purpose of a group, so that sessions get the right channel
// (docs/definitions.md).
import type { Purpose, UtmName } from '../../api/links.ts'

export type UtmTexts = Readonly<Record<UtmName, string>>

const byPurpose: Readonly<Record<Purpose, { readonly source: string; readonly medium: string }>> = {
  campaign: { source: '', medium: 'cpc' },
  affiliate: { source: '', medium: 'affiliate' },
  newsletter: { source: 'newsletter', medium: 'email' },
  partner: { source: '', medium: 'referral' },
  social: { source: '', medium: 'social' },
}

/** “Spring letter, 2026” → `spring-letter-2026` */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')

/** What is filled in already stays. Sources that nobody can guess are named as the group. */
export function suggested(known: UtmTexts, purpose: Purpose, groupName: string): UtmTexts {
  const { source, medium } = byPurpose[purpose]
  const slug = slugOf(groupName)
  return {
    ...known,
    utm_source: known.utm_source || source || slug,
    utm_medium: known.utm_medium || medium,
    utm_campaign: known.utm_campaign || slug,
  }
}
