// How a counted value of a top list becomes an entry of the answer to `metrics`.
import { channelLabel, domainOfSource } from '../enrich/enrich.ts'
import type { DimensionJson, DimensionRowJson } from './answer-schema.ts'
import { type DimensionId, dimensionOf, dimensions, dimensionWords, type ListId } from './dimensions.ts'
import type { TopRow } from './facts.ts'
import { round } from './metrics.ts'

/** Values that a list shows (docs/api/analytics.md). */
const SHOWN_VALUES = 10

/** What people call a value. */
export const valueLabel = (id: ListId, value: string): string => (id === 'channel' ? channelLabel(value) : value)

/** The domain whose icon a value has; null without one. */
export function iconDomain(id: ListId, value: string): string | null {
  const { icon } = dimensionOf(id)
  if (icon === 'source') return domainOfSource(value)
  return icon === 'domain' ? value : null
}

export function dimensionEntry(id: DimensionId, rows: readonly TopRow[], baseUrl: string): DimensionJson {
  const shown = rows.slice(0, SHOWN_VALUES)
  const total = shown.reduce((sum, row) => sum + row.sessions, 0)
  const { field, category } = dimensions[id]
  const { label, description } = dimensionWords[id]
  const data = shown.map((row, index) => dimensionRow(id, row, index + 1, { total, baseUrl }))
  return { id, type: 'string', field, label, description, category, data }
}

interface Around {
  /** Sessions of all rows. */
  readonly total: number
  readonly baseUrl: string
}

function dimensionRow(id: DimensionId, row: TopRow, order: number, { total, baseUrl }: Around): DimensionRowJson {
  const label = valueLabel(id, row.value)
  const counted = { id: row.value, label, value: row.sessions, order, percent: round(row.sessions / total, 4) }
  const { icon, isPlace } = dimensionOf(id)
  return {
    ...counted,
    ...(icon && { favicon: faviconUrl(baseUrl, iconDomain(id, row.value)) }),
    ...(isPlace && { country_code: row.countryCode }),
  }
}

/** Our own icon: asking an icon service would tell a third party where the owner's visitors come from. */
function faviconUrl(baseUrl: string, domain: string | null): string | null {
  return domain === null ? null : `${baseUrl}/icons/${encodeURIComponent(domain)}.svg`
}
