// What can be taken out of a property: the kinds of files, how they are asked for and shown, and how large
// they may become.
import { dayFromText, dayOf, dayText, LAST_DAY } from '../kernel/days.ts'
import { invalid } from '../kernel/problem.ts'
import type { Period } from '../kernel/periods.ts'
import { parseWindow, periodOf, type Span } from '../kernel/window.ts'
import { dayBegin, dayIn, UTC } from '../kernel/zones.ts'
import type { Property } from '../properties/properties.ts'
import type { ExportAskJson } from './schema.ts'

export const kinds = [
  'sessions',
  'events',
  'clicks',
  'contacts',
  'links',
  'submissions',
  'deliveries',
  'facts',
  'records',
] as const
export type ExportKind = (typeof kinds)[number]

/** Tables of raw facts: a Parquet file each. */
export const factTables = [
  'views',
  'events',
  'sessions',
  'clicks',
  'form_events',
  'impressions',
  'vitals',
  'lib_errors',
] as const
export type ExportTable = (typeof factTables)[number]

/** Files with people in them: they are removed when one of these people is erased. */
export const personalKinds: readonly ExportKind[] = ['contacts', 'submissions', 'deliveries', 'records']

export const endings: Readonly<Record<ExportKind, 'csv' | 'parquet' | 'json'>> = {
  sessions: 'csv',
  events: 'csv',
  clicks: 'csv',
  contacts: 'csv',
  links: 'csv',
  submissions: 'csv',
  deliveries: 'csv',
  facts: 'parquet',
  records: 'json',
}

export const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const

/** A file is for the person who asked for it, who fetches it soon. */
export const KEPT_MS = 24 * 60 * 60 * 1000
/** A live process touches its folder every ten minutes; one that is untouched for so long has no process. */
export const ABANDONED_MS = 60 * 60 * 1000
/** Of one property, those under way included. More would fill the disk with files that are not fetched. */
export const MAX_EXPORTS = 20
export const MAX_ALL_EXPORTS = 200
/** Of one file: some tens of millions of rows. */
export const MAX_FILE_BYTES = 4 * 1024 ** 3
/** Of all files together. */
export const MAX_ALL_BYTES = 16 * 1024 ** 3
/** Left to the stores, which share the disk. */
export const SPARE_BYTES = 512 * 1024 ** 2

/** Days, both included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** UTC days of facts, and of these what is within the span; without one, all. */
export interface FactRange extends DayRange {
  readonly span?: Span
}

const allDays: FactRange = { from: dayText(0), to: dayText(LAST_DAY) }

export interface ExportPlan {
  readonly kind: ExportKind
  /** Of facts alone. */
  readonly table: ExportTable | null
  /** Of submissions alone. */
  readonly form: string | null
  readonly days: FactRange
  /** As it is told; null: everything there is. */
  readonly window: DayRange | null
}

/** Facts have days, so a window can be chosen; records are exported as they are now. */
const windowed: readonly ExportKind[] = ['sessions', 'events', 'clicks', 'facts']

const ALL_TIME: Period = 'all_time'

type AskedProperty = Pick<Property, 'default_period' | 'timezone' | 'week_start'>

/** Rows as they are stored go by the UTC days by which they are; lists by the days of the property. */
const zoneOf = (kind: ExportKind, { timezone }: AskedProperty): string => (kind === 'facts' ? UTC : timezone)

interface Windowed {
  readonly window: DayRange | null
  readonly days: FactRange
}

function readWindow({ kind, window }: ExportAskJson, nowMs: number, property: AskedProperty): Windowed {
  const whole = { window: null, days: allDays }
  if (window === undefined || window === null) return whole
  if (!windowed.includes(kind)) throw invalid('window', `window is for exports of ${windowed.join(', ')}.`)
  if (periodOf(window, property) === ALL_TIME) return whole
  const zone = zoneOf(kind, property)
  const { fromMs, toMs } = parseWindow(window, nowMs, { ...property, timezone: zone })
  const told = { from: dayText(dayIn(zone, fromMs)), to: dayText(dayIn(zone, toMs - 1)) }
  if (kind === 'facts') return { window: told, days: told }
  // Until the end of the last day: what happens while the file is made may be in it.
  const span = { fromMs, toMs: dayBegin(zone, dayFromText(told.to) + 1) }
  // A session that carries on over midnight is of the day before.
  const days = { from: dayText(Math.max(0, dayOf(fromMs) - 1)), to: dayText(dayOf(span.toMs - 1)), span }
  return { window: told, days }
}

/** @throws Problem('validation_failed') */
export function readPlan(ask: ExportAskJson, nowMs: number, property: AskedProperty): ExportPlan {
  const { kind, table = null, form = null } = ask
  if ((kind === 'facts') !== (table !== null))
    throw invalid('table', `table must be one of ${factTables.join(', ')} for facts, and is for nothing else.`)
  if ((kind === 'submissions') !== (form !== null))
    throw invalid('form', 'form must be the id of a form for submissions, and is for nothing else.')
  return { kind, table, form, ...readWindow(ask, nowMs, property) }
}

/** Letters that every file system and every header takes. */
function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '')
}

/** `sessions-my-site-2026-01-01-2026-01-31.csv` */
export function fileName(plan: ExportPlan, propertyName: string, nowMs: number): string {
  const { kind, table, form, window } = plan
  const what = table ?? (form === null ? kind : `${kind}-${plainWords(form)}`)
  const when = window ? `${window.from}-${window.to}` : dayText(dayOf(nowMs))
  return `${[what, plainWords(propertyName), when].filter((part) => part !== '').join('-')}.${endings[kind]}`
}

/** A piece of a text file. */
export interface Part {
  readonly text: string
  /** How many rows stand in it. */
  readonly rows: number
}

/** A text file that is made piece by piece. */
export interface Text {
  /** As many rows as there will be, or nearly: for the progress. */
  readonly total: number
  readonly parts: AsyncIterable<Part>
}
