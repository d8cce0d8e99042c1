// The rows that page views and pings append. Imports and the demo use them too, so that their rows equal
// those of real hits.
import type { AgentHints, Enrich } from '../enrich/enrich.ts'
import { dayText } from '../kernel/days.ts'
import type { ViewRef } from '../kernel/ids.ts'
import type { ViewRow } from '../stores/tables.ts'
import { pathOf, urlOf } from './page.ts'
import type { Visitor } from './visitors.ts'

/** One page view, parsed and validated. */
export interface Hit {
  readonly view: ViewRef
  /** Milliseconds. */
  readonly at: number
  readonly visitor: Visitor
  readonly page: URL
  readonly title: string
  /** '' without one. */
  readonly referrer: string
  readonly status: number
  readonly width: number
  readonly height: number
  /** Version of the browser library; '' or left out when it named none. */
  readonly library?: string
  /** Of the page, a JSON object of texts; '' or left out without any. */
  readonly props?: string
  /** Headers that tell more about the browser, by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Client hints; browsers send all three or none. */
export function hintsIn(headers: Hit['headers']): AgentHints | undefined {
  const brands = headers['sec-ch-ua']
  if (typeof brands !== 'string') return undefined
  return {
    brands,
    mobile: String(headers['sec-ch-ua-mobile'] ?? ''),
    platform: String(headers['sec-ch-ua-platform'] ?? ''),
  }
}

export function viewRow(
  enrich: Enrich,
  property: { readonly id: string; readonly domains: readonly string[] },
  hit: Hit,
): ViewRow {
  const { page, visitor, view } = hit
  const place = enrich.place(visitor.address)
  const hints = hintsIn(hit.headers)
  const agent = enrich.agent(visitor.agent, hints)
  const bot = enrich.bot({ userAgent: visitor.agent, place, brands: hints?.brands })
  const source = enrich.source({ page, referrer: hit.referrer, ownDomains: property.domains })
  return {
    property: property.id,
    day: dayText(view.day),
    session: view.hash.toString(),
    view: view.view,
    at: hit.at,
    seen: hit.at,
    seconds: 0,
    scroll: -1,
    url: urlOf(page),
    hostname: page.hostname,
    path: pathOf(page),
    title: hit.title,
    status: hit.status,
    width: hit.width,
    height: hit.height,
    referrer_url: source.referrer_url,
    referrer_domain: source.referrer_domain,
    channel: source.channel,
    method: source.method,
    source: source.source,
    utm_source: source.utm_source,
    utm_medium: source.utm_medium,
    utm_campaign: source.utm_campaign,
    utm_term: source.utm_term,
    utm_content: source.utm_content,
    click_id: source.click_id,
    country_code: place.country_code,
    country: place.country,
    region: place.region,
    city: place.city,
    timezone: place.timezone,
    network: place.as_name,
    ...agent,
    language: enrich.language(visitor.language),
    is_bot: bot.is_bot ? 1 : 0,
    bot_name: bot.name,
    bot_reason: bot.reason,
    library: hit.library ?? '',
    props: hit.props ?? '',
  }
}

/** `at` keeps its default, which is later than any load: a ping is never the first touch. */
export type PingRow = Pick<ViewRow, 'property' | 'day' | 'session' | 'view' | 'seen' | 'seconds' | 'scroll'>

export const MAX_SECONDS = 86_400

export interface Ping {
  /** Milliseconds. */
  readonly at: number
  /** Seconds on the page; stored as a whole number between 0 and a day. */
  readonly tos: number
  /** Largest scroll depth in percent, below 0 when unknown; stored as a whole number of at most 100. */
  readonly max: number
}

export function pingRow(propertyId: string, view: ViewRef, { at, tos, max }: Ping): PingRow {
  return {
    property: propertyId,
    day: dayText(view.day),
    session: view.hash.toString(),
    view: view.view,
    seen: at,
    seconds: Math.min(Math.max(Math.floor(tos), 0), MAX_SECONDS),
    scroll: Math.min(Math.max(Math.floor(max), -1), 100),
  }
}
