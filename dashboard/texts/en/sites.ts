// All properties beside one another.
import { plural } from './plural.ts'

export const text = {
  title: 'All properties',
  caption: 'All properties',
  subtitle: (shown: string, count: number, live: string) =>
    `${shown} ${plural(count, { one: 'property', other: 'properties' })} · ${live} online now`,
  search: 'Search properties',
  period: 'Period',
  add: 'New property',
  noClient: 'No client',
  columns: {
    name: 'Property',
    days: 'Trend',
    live: 'Online',
    sessions: 'Sessions',
    change: 'Change',
    views: 'Views',
  },
  moreDomains: (domain: string, others: string) => `${domain} +${others}`,
  noDomain: 'No domain',
  sample: 'Sample data',
  noChange: 'No earlier data',
  warnings: {
    no_data: 'No data yet',
    quiet: (date: string) => `No data since ${date}`,
  },
  noMatch: 'No properties found',
  noMatchHint: 'Search by name, domain or client.',
  clear: 'Clear search',
  cut: (shown: string, total: string) => `Showing the newest ${shown} of ${total} properties.`,
} as const
