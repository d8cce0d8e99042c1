// The results of a link or a group as a file: the whole, each bucket, and each row of each breakdown.
import { safeCell, toCsv } from '../csv/cells.ts'
import { breakdownIds, type ResultCountsJson, type ResultsJson } from './schema.ts'

export const resultColumns = [
  'by',
  'value',
  'clicks',
  'visitors',
  'arrived',
  'engaged',
  'forms',
  'contacts',
  'value_cents',
  'currency',
] as const

/** Values come from visitors: one that a spreadsheet would take for a formula is marked as text. */
function lineOf(by: string, value: string, counts: ResultCountsJson): string[] {
  const { clicks, visitors, arrived, engaged, forms, contacts, value_cents } = counts
  const numbers = [clicks, visitors, arrived, engaged, forms, contacts, value_cents]
  return [by, safeCell(value), ...numbers.map(String)]
}

export function resultsCsv({ own, buckets, currency }: ResultsJson): string {
  const time = (ts: number): string => new Date(ts * 1000).toISOString()
  const lines = [
    lineOf('all', '', own.totals),
    ...own.series.map((counts, index) => lineOf('time', time(buckets[index]!.from_ts), counts)),
    ...breakdownIds.flatMap((id) => own.breakdowns[id].map((row) => lineOf(id, row.id, row))),
  ]
  return toCsv([resultColumns, ...lines.map((line) => [...line, currency])])
}
