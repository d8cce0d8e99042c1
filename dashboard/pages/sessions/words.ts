// What is said of a session in a line; what is not known is left out.
import type { SessionDocument } from '../../api/sessions.ts'

const joined = (parts: readonly (string | undefined)[], by: string): string | undefined => {
  const words = [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(by)
  return words === '' ? undefined : words
}

export const placeOf = ({ city, region, country_name }: SessionDocument): string | undefined =>
  joined([city ?? region, country_name], ', ')

export const deviceOf = ({ request_browser_name, request_platform }: SessionDocument): string | undefined =>
  joined([request_browser_name, request_platform], ' · ')

export const sourceOf = ({ source_name, referrer_domain, channel_name }: SessionDocument): string | undefined =>
  source_name ?? referrer_domain ?? channel_name

export const campaignOf = ({ utm_source, utm_medium, utm_campaign }: SessionDocument): string | undefined =>
  joined([utm_campaign, utm_source, utm_medium], ' · ')
