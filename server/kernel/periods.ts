// The names of windows. When each begins and ends is in period-spans.ts.

/** Those of `/v2`, whose list is closed: its clients know no others. */
export const periods = [
  { id: 'today', name: 'Today' },
  { id: 'yesterday', name: 'Yesterday' },
  { id: 'last_7', name: 'Last 7 Days' },
  { id: 'last_28', name: 'Last 28 Days' },
  { id: 'month_to_date', name: 'Month To Date' },
  { id: 'year_to_date', name: 'Year To Date' },
  { id: 'last_12_months', name: 'Last 12 Months' },
  { id: 'custom', name: 'Custom' },
] as const

/** Beside them, below `/manage` and in the dashboard. */
const furtherPeriods = [
  { id: 'last_30', name: 'Last 30 Days' },
  { id: 'last_90', name: 'Last 90 Days' },
  { id: 'this_week', name: 'This Week' },
  { id: 'last_week', name: 'Last Week' },
  { id: 'last_month', name: 'Last Month' },
  { id: 'this_quarter', name: 'This Quarter' },
  { id: 'last_quarter', name: 'Last Quarter' },
  { id: 'last_year', name: 'Last Year' },
  { id: 'all_time', name: 'All Time' },
] as const

export const allPeriods = [...periods, ...furtherPeriods] as const

export type Period = (typeof allPeriods)[number]['id']
export type NamedPeriod = Exclude<Period, 'custom'>

/** A custom window needs dates, so it cannot be a default. */
export const namedPeriods = allPeriods.map(({ id }) => id).filter((id) => id !== 'custom')

export const isPeriod = (id: string): id is Period => allPeriods.some((period) => period.id === id)

/** True for a period that a request to `/v2` may name. */
export const isPublicPeriod = (id: string): boolean => periods.some((period) => period.id === id)
