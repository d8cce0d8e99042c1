// What is said of a session in a line; what is not known is left out.
import type { SessionDocument } from '../../api/sessions.ts'
import { duration, NO_FIGURE } from '../../format.ts'
import { channelName, placeName, sourceName } from '../../service-words.ts'

const joined = (parts: readonly (string | undefined)[], by: string): string | undefined => {
  const words = [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(by)
  return words === '' ? undefined : words
}

export const placeOf = ({ city, region, country_name, request_country }: SessionDocument): string | undefined =>
  joined([city ?? region, country_name && placeName(request_country, country_name)], ', ')

export const deviceOf = ({ request_browser_name, request_platform }: SessionDocument): string | undefined =>
  joined([request_browser_name, request_platform], ' · ')

export const channelOf = ({ channel_category, channel_name }: SessionDocument): string | undefined =>
  channel_name && channelName(channel_category ?? '', channel_name)

export const sourceOf = (session: SessionDocument): string | undefined =>
  (session.source_name && sourceName(session.source_name)) ?? session.referrer_domain ?? channelOf(session)

export const campaignOf = ({ utm_source, utm_medium, utm_campaign }: SessionDocument): string | undefined =>
  joined([utm_campaign, utm_source, utm_medium], ' · ')

/** Time on the page: 0 seconds without any scroll means that no ping has arrived yet. */
export const timeOf = ({ time_on_site, avg_max_scroll }: SessionDocument): string =>
  time_on_site === 0 && avg_max_scroll === 0 ? NO_FIGURE : duration(time_on_site)
