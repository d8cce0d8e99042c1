// Lists of the dashboard: which there are, and how a counted value becomes a row. Texts are as they were collected: whoever shows them
// shows them as text.
import { channelLabel, domainOfSource } from '../enrich/enrich.ts'
import { byName } from '../kernel/by-name.ts'
import type { ListRowJson } from './schema.ts'
import { dimensionIds, dimensions } from '../analytics/dimensions.ts'
import type { TopLists, TopRow } from '../analytics/facts.ts'
import { round } from '../analytics/metrics.ts'
import { TOP_ROWS } from '../analytics/top-sets.ts'

const campaign = (label: string) => ({ label, category: 'Campaign' }) as const

/** Every list that can be asked for by its id; the thirteen of the overview come first. */
export const listDimensions = {
  ...dimensions,
  utm_source: campaign('UTM source'),
  utm_medium: campaign('UTM medium'),
  utm_campaign: campaign('UTM campaign'),
  utm_term: campaign('UTM term'),
  utm_content: campaign('UTM content'),
  hostname: { label: 'Host name', category: 'Pages' },
  tag: { label: 'Tag', category: 'Events' },
  event_name: { label: 'Event', category: 'Events' },
} as const satisfies Record<string, { readonly label: string; readonly category: string }>

export type ListId = keyof typeof listDimensions

/** Rows of a list in the overview. */
export const SHOWN_ROWS = 10

/** Drawn by this server; a path, so that it is found wherever the dashboard is served. */
function iconUrl(baseUrl: string, domain: string): string {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  return `${base}/icons/${encodeURIComponent(domain)}.svg`
}

function domainOf(id: ListId, value: string): string | null {
  if (id === 'source') return domainOfSource(value)
  return id === 'referrer_domain' ? value : null
}

/** @param sessions of the window. */
export function listRow(id: ListId, row: TopRow, sessions: number, baseUrl: string): ListRowJson {
  const domain = domainOf(id, row.value)
  return {
    id: row.value,
    label: id === 'channel' ? channelLabel(row.value) : row.value,
    value: row.sessions,
    percent: sessions === 0 ? 0 : round(row.sessions / sessions, 4),
    ...(domain !== null && { icon_url: iconUrl(baseUrl, domain) }),
    ...(row.countryCode !== '' && { country_code: row.countryCode }),
  }
}

/** The thirteen lists. `total`: how many values there are, as far as they were counted. */
export function overviewLists(top: TopLists, sessions: number, baseUrl: string) {
  return byName(dimensionIds, (id) => {
    const { label, category } = listDimensions[id]
    const rows = top[id].slice(0, SHOWN_ROWS).map((row) => listRow(id, row, sessions, baseUrl))
    return { label, category, total: Math.min(top[id].length, TOP_ROWS), rows }
  })
}

/** Sessions by ISO 3166 alpha-2. */
export function countryCounts(top: TopLists): Record<string, number> {
  return Object.fromEntries(top.country_code.map((row) => [row.value, row.sessions]))
}
