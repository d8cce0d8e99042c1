// The top lists by docs/api/analytics.md, and for each what decides its values: a probe learns these, and the
// key in a session document.

interface Dimension {
  /** What of a load the value follows from; left out where it follows from the pages themselves. */
  readonly from?: 'origins' | 'agents' | 'languages' | 'places'
  readonly field: string
  /** Places of one name in two countries are two. */
  readonly isOfCountry?: boolean
}

export const dimensionTable: Readonly<Record<string, Dimension>> = {
  source: { from: 'origins', field: 'source_name' },
  channel: { from: 'origins', field: 'channel_category' },
  referrer_domain: { from: 'origins', field: 'referrer_domain' },
  entry_path_full: { field: 'entry_path' },
  exit_path_full: { field: 'exit_path' },
  country: { from: 'places', field: 'country_name' },
  region: { from: 'places', field: 'region', isOfCountry: true },
  city: { from: 'places', field: 'city', isOfCountry: true },
  timezone: { from: 'places', field: 'request_timezone' },
  browser: { from: 'agents', field: 'request_browser_name' },
  os: { from: 'agents', field: 'request_platform' },
  device: { from: 'agents', field: 'request_device' },
  language: { from: 'languages', field: 'request_lang' },
}

export const dimensions = Object.keys(dimensionTable)

/** Those whose values follow from the same part of a load. */
export const dimensionsFrom = (from: Dimension['from']): string[] =>
  dimensions.filter((id) => dimensionTable[id]?.from === from)
