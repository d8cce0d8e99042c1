// Lists of the dashboard: how a counted value becomes a row. Texts are as they were collected: whoever shows
// them shows them as text.
import { byName } from '../kernel/by-name.ts'
import type { ListRowJson } from './schema.ts'
import { iconDomain, valueLabel } from '../analytics/dimension-entries.ts'
import { dimensionIds, dimensions, dimensionWords, type ListId } from '../analytics/dimensions.ts'
import type { TopLists, TopRow } from '../analytics/facts.ts'
import { round } from '../analytics/metrics.ts'
import { TOP_ROWS } from '../analytics/top-sets.ts'

/** Rows of a list in the overview. */
export const SHOWN_ROWS = 10

/** Drawn by this server; a path, so that it is found wherever the dashboard is served. */
function iconUrl(baseUrl: string, domain: string): string {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '')
  return `${base}/icons/${encodeURIComponent(domain)}.svg`
}

/** @param sessions of the window. */
export function listRow(id: ListId, row: TopRow, sessions: number, baseUrl: string): ListRowJson {
  const domain = iconDomain(id, row.value)
  return {
    id: row.value,
    label: valueLabel(id, row.value),
    value: row.sessions,
    percent: sessions === 0 ? 0 : round(row.sessions / sessions, 4),
    ...(domain !== null && { icon_url: iconUrl(baseUrl, domain) }),
    ...(row.countryCode !== '' && { country_code: row.countryCode }),
  }
}

/** The lists of the overview. `total`: how many values there are, as far as they were counted. */
export function overviewLists(top: TopLists, sessions: number, baseUrl: string) {
  return byName(dimensionIds, (id) => {
    const [{ label }, { category }] = [dimensionWords[id], dimensions[id]]
    const rows = top[id].slice(0, SHOWN_ROWS).map((row) => listRow(id, row, sessions, baseUrl))
    return { label, category, total: Math.min(top[id].length, TOP_ROWS), rows }
  })
}

/** Sessions by ISO 3166 alpha-2. */
export function countryCounts(top: TopLists): Record<string, number> {
  return Object.fromEntries(top.country_code.map((row) => [row.value, row.sessions]))
}
