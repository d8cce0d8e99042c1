// The thirteen dimensions of the top lists: their words for people, and how a counted value becomes an entry of the answer.
import { channelLabel, domainOfSource } from '../enrich/enrich.ts'
import type { TopRow } from './facts.ts'
import { round } from './metrics.ts'
import type { DimensionJson, DimensionRowJson } from './answer-schema.ts'

interface Dimension {
  /** The key of the same value in a session document. */
  readonly field: string
  readonly label: string
  readonly description: string
  readonly category: 'Acquisition' | 'Pages' | 'Location' | 'Technology'
}

/** By query id, in the order of the answer. */
export const dimensions = {
  source: {
    field: 'source_name',
    label: 'Source',
    description: 'Where the session came from, by name',
    category: 'Acquisition',
  },
  channel: {
    field: 'channel_category',
    label: 'Channel',
    description: 'The kind of way by which the session came',
    category: 'Acquisition',
  },
  referrer_domain: {
    field: 'referrer_domain',
    label: 'Referrer',
    description: 'The domain of the page that linked to the entry page',
    category: 'Acquisition',
  },
  entry_path_full: {
    field: 'entry_path',
    label: 'Entry page',
    description: 'The first page of the session',
    category: 'Pages',
  },
  exit_path_full: {
    field: 'exit_path',
    label: 'Exit page',
    description: 'The last page of the session',
    category: 'Pages',
  },
  country: {
    field: 'country_name',
    label: 'Country',
    description: 'The country of the visitor’s network address',
    category: 'Location',
  },
  region: {
    field: 'region',
    label: 'Region',
    description: 'The region of the visitor’s network address',
    category: 'Location',
  },
  city: {
    field: 'city',
    label: 'City',
    description: 'The city of the visitor’s network address',
    category: 'Location',
  },
  timezone: {
    field: 'request_timezone',
    label: 'Time zone',
    description: 'The time zone of that place',
    category: 'Location',
  },
  browser: {
    field: 'request_browser_name',
    label: 'Browser',
    description: 'The browser, by name',
    category: 'Technology',
  },
  os: {
    field: 'request_platform',
    label: 'Operating system',
    description: 'The operating system, by name',
    category: 'Technology',
  },
  device: { field: 'request_device', label: 'Device', description: 'The class of the device', category: 'Technology' },
  language: {
    field: 'request_lang',
    label: 'Language',
    description: 'The first language that the browser asks for',
    category: 'Technology',
  },
} as const satisfies Record<string, Dimension>

export type DimensionId = keyof typeof dimensions
export const dimensionIds = Object.keys(dimensions) as DimensionId[]

/** Values a list shows (docs/definitions.md). */
const SHOWN_VALUES = 10

export function dimensionEntry(id: DimensionId, rows: readonly TopRow[], baseUrl: string): DimensionJson {
  const shown = rows.slice(0, SHOWN_VALUES)
  const total = shown.reduce((sum, row) => sum + row.sessions, 0)
  return {
    id,
    type: 'string',
    ...dimensions[id],
    data: shown.map((row, index) => dimensionRow(id, row, index + 1, total, baseUrl)),
  }
}

function dimensionRow(id: DimensionId, row: TopRow, order: number, total: number, baseUrl: string): DimensionRowJson {
  const label = id === 'channel' ? channelLabel(row.value) : row.value
  const counted = { id: row.value, label, value: row.sessions, order, percent: round(row.sessions / total, 4) }
  return { ...counted, ...enriched(id, row, baseUrl) }
}

const places: ReadonlySet<DimensionId> = new Set(['country', 'region', 'city'])

function enriched(id: DimensionId, row: TopRow, baseUrl: string): Pick<DimensionRowJson, 'favicon' | 'country_code'> {
  if (id === 'source') return { favicon: faviconUrl(baseUrl, domainOfSource(row.value)) }
  if (id === 'referrer_domain') return { favicon: faviconUrl(baseUrl, row.value) }
  return places.has(id) ? { country_code: row.countryCode } : {}
}

/** Our own icon: asking an icon service would tell a third party where the owner's visitors come from. */
function faviconUrl(baseUrl: string, domain: string | null): string | null {
  return domain === null ? null : `${baseUrl}/icons/${encodeURIComponent(domain)}.svg`
}
