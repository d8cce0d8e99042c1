// The keys of the period picker.
import type { Period } from '../window.ts'

/** Of those that are chosen most. */
export const periodKeys: Readonly<Partial<Record<Period, string>>> = {
  today: 'd',
  yesterday: 'e',
  last_7: 'w',
  last_28: 't',
  month_to_date: 'm',
  year_to_date: 'y',
  last_12_months: 'l',
  custom: 'c',
}
