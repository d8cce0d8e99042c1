// Numbers, dates and durations as the reader's language and country write them. Times are those of the
// property's time zone, and say so.
import { dayIn, instantOf, UTC, wallOf } from '../server/kernel/zones.ts'
import { common, locale } from './texts/index.ts'

const plain = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const ratio = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const wholePercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const finePercent = new Intl.NumberFormat(locale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
/**
 * By whose clock times are shown: that of the property whose page this is, and UTC elsewhere. It changes only
 * between pages (session.tsx), so that nothing on a page is of another one.
 */
let zone: string = UTC

export const setZone = (name: string): void => {
  zone = name
}

/** The zone in words of the reader: `Berlin`, `UTC`. */
export const zoneName = (): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** Where a browser does not know where it is. */
const NOWHERE = 'Etc/Unknown'

/** The zone of the reader; undefined where the browser does not know it. */
export function zoneHere(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === NOWHERE ? undefined : timeZone
}

/** By the clock of the page, as days are counted since 1970-01-01. */
export const today = (nowMs = Date.now()): number => dayIn(zone, nowMs)

/** Those that the browser knows. */
export const knownZones = (): string[] => [UTC, ...Intl.supportedValuesOf('timeZone')]

const formats = new Map<string, Intl.DateTimeFormat>()

/** @returns a format that shows times by the clock of the page. */
function formatOf(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return () => {
    const key = JSON.stringify([zone, options])
    const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    formats.set(key, format)
    return format
  }
}

const date3 = { day: 'numeric', month: 'short', year: 'numeric' } as const
const hourMinutes = { hour: '2-digit', minute: '2-digit' } as const

const day = formatOf(date3)
const dayTime = formatOf({ ...date3, ...hourMinutes, timeZoneName: 'short' })
const time = formatOf({ ...hourMinutes, second: '2-digit' })
const hourMinute = formatOf(hourMinutes)
const zonedHour = formatOf({ ...hourMinutes, timeZoneName: 'short' })
const weekday = formatOf({ weekday: 'short', ...date3 })
const dayMonth = formatOf({ day: 'numeric', month: 'short' })
const longMonth = formatOf({ month: 'long', year: 'numeric' })
const month = formatOf({ month: 'short' })
const monthYear = formatOf({ month: 'short', year: 'numeric' })
const year = formatOf({ year: 'numeric' })
/** Of a date, which is the same in every zone. */
const plainDay = new Intl.DateTimeFormat(locale, { ...date3, timeZone: UTC })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const list = new Intl.ListFormat(locale, { type: 'disjunction' })
const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })

/** What stands where there is no figure. */
export const NO_FIGURE = '–'

export const number = (value: number): string => plain.format(value)

/** Short from ten thousand up: 12.3K. */
export const compactNumber = (value: number): string => (Math.abs(value) < 10_000 ? plain : compact).format(value)

export const decimal = (value: number): string => ratio.format(value)

const FINE_BELOW = 0.1

/** Of a fraction: 0.05 is 5%. Small shares keep a decimal. */
export function percent(fraction: number): string {
  const isFine = fraction !== 0 && Math.abs(fraction) < FINE_BELOW
  return (isFine ? finePercent : wholePercent).format(fraction)
}

/** A part of so many; of nothing there is no share. */
export const shareOf = (fraction: number | null, whole: number): string =>
  fraction === null || whole === 0 ? NO_FIGURE : percent(fraction)

const NEARLY_SURE = 0.99

/** Of a probability, which is never quite 0 or 1. */
export function chance(probability: number): string {
  if (probability > NEARLY_SURE) return `>${wholePercent.format(NEARLY_SURE)}`
  if (probability < 1 - NEARLY_SURE) return `<${wholePercent.format(1 - NEARLY_SURE)}`
  return wholePercent.format(probability)
}

/** Percentage points of a fraction, as `percent` would show it. */
export const pointsOf = (fraction: number): number =>
  Math.abs(fraction) < FINE_BELOW ? Math.round(fraction * 1000) / 10 : Math.round(fraction * 100)

/**
 * In which money is told: in the currency of the property whose page this is. Like the zone it changes only
 * between pages.
 */
let usual = 'USD'

export const setCurrency = (code: string): void => {
  usual = code
}

/** Prices have no decimals there, as browsers write them; minor units are those of ISO 4217. */
const unwritten: Readonly<Record<string, number>> = { IQD: 3 }
const unwrittenCents = 'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'

/** Minor units of a currency. */
export function money(minor: number, currency = usual, isCompact = false): string {
  try {
    const options = { style: 'currency', currency } as const
    const { maximumFractionDigits = 2 } = new Intl.NumberFormat(locale, options).resolvedOptions()
    const digits = unwritten[currency] ?? (unwrittenCents.includes(currency) ? 2 : maximumFractionDigits)
    const amount = minor / 10 ** digits
    return new Intl.NumberFormat(locale, { ...options, ...(isCompact && compactMoney(amount)) }).format(amount)
  } catch {
    return `${currency} ${plain.format(minor)}` // no such currency, as far as the browser knows
  }
}

/** `EUR · Euro` */
export function currencyLabel(code: string): string {
  const name = new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code
  return name === code ? code : `${code} · ${name}`
}

const compactMoney = (amount: number) =>
  Math.abs(amount) < 10_000
    ? ({ maximumFractionDigits: 0 } as const)
    : ({ notation: 'compact', maximumFractionDigits: 1 } as const)

/** Of seconds: 42s, 3m 07s, 2h 05m. */
export function duration(seconds: number): string {
  const { h, m, s } = common.time
  const whole = Math.round(seconds)
  const two = (part: number) => String(part).padStart(2, '0')
  if (whole < 60) return `${whole}${s}`
  if (whole < 3600) return `${Math.floor(whole / 60)}${m} ${two(whole % 60)}${s}`
  return `${Math.floor(whole / 3600)}${h} ${two(Math.floor((whole % 3600) / 60))}${m}`
}

export const date = (ts: number): string => day().format(ts * 1000)
/** A date YYYY-MM-DD. */
export const dateOfText = (text: string): string => {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(ms) ? text : plainDay.format(ms)
}
/** With the words that say whose clock it is. */
export const dateTime = (ts: number): string => dayTime().format(ts * 1000)
export const timeOfDay = (ts: number): string => time().format(ts * 1000)

/** The days of a window, its end excluded: 15–21 Nov 2026. */
export const dateRange = (fromTs: number, toTs: number): string =>
  day().formatRange(fromTs * 1000, Math.max(fromTs, toTs - 1) * 1000)

/** From one date YYYY-MM-DD to another, both included. */
export function daysOfText(from: string, to: string): string {
  const [first, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)]
  return Number.isNaN(first) || Number.isNaN(last) ? `${from} – ${to}` : plainDay.formatRange(first, last)
}

/** The full name of a graph's bucket, by its beginning and its interval: for read-outs and tables. */
export function bucketName(fromTs: number, toTs: number, interval: string): string {
  if (interval === 'hour') return `${dayMonth().format(fromTs * 1000)}, ${zonedHour().format(fromTs * 1000)}`
  if (interval === 'day') return weekday().format(fromTs * 1000)
  if (interval === 'week') return dateRange(fromTs, toTs)
  return (interval === 'month' ? longMonth : year)().format(fromTs * 1000)
}

/** The same in a few letters, for an axis; January has its year. */
export function bucketTick(fromTs: number, interval: string): string {
  const ms = fromTs * 1000
  if (interval === 'hour') return hourMinute().format(ms)
  if (interval === 'day' || interval === 'week') return dayMonth().format(ms)
  if (interval === 'month') return (new Date(wallOf(zone, ms)).getUTCMonth() === 0 ? monthYear : month)().format(ms)
  return year().format(ms)
}

const MINUTE = 60
const HOUR = 3600
const WEEK_DAYS = 7

const dayOf = (ts: number): number => dayIn(zone, ts * 1000)

/**
 * Three minutes ago; yesterday, which is the day before today however many hours that is; from a week
 * on, the date.
 */
export function ago(ts: number, nowMs = Date.now()): string {
  const nowTs = Math.floor(nowMs / 1000)
  const seconds = ts - nowTs
  const days = dayOf(ts) - dayOf(nowTs)
  if (Math.abs(seconds) < MINUTE) return relative.format(seconds, 'second')
  if (Math.abs(seconds) < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute')
  if (days === 0) return relative.format(Math.trunc(seconds / HOUR), 'hour')
  return Math.abs(days) < WEEK_DAYS ? relative.format(days, 'day') : date(ts)
}

/** A date `YYYY-MM-DD` and a time `HH:MM`, as fields of forms take them. */
export function fieldsOfTs(ts: number): { readonly date: string; readonly time: string } {
  const shown = new Date(wallOf(zone, ts * 1000)).toISOString()
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** The other way round; undefined for what is no time. @param text `YYYY-MM-DDTHH:MM`. */
export function tsOfFields(text: string): number | undefined {
  const wallMs = Date.parse(`${text}Z`)
  return Number.isNaN(wallMs) ? undefined : Math.floor(instantOf(zone, wallMs) / 1000)
}

/** One, two or three. */
export const anyOf = (words: readonly string[]): string => list.format(words)

/** Of a code of two letters. */
export function countryName(code: string): string {
  try {
    return regions.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

/** 1.4 MB */
export function bytes(size: number): string {
  const step = size < 1000 ? 0 : Math.min(Math.floor(Math.log10(size) / 3), 4)
  const unit = (['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const)[step] ?? 'byte'
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })
  return format.format(size / 1000 ** step)
}

/** The formats of the metrics (`cards[].format` of an overview). */
export function figure(value: number | null, format: string): string {
  if (value === null) return NO_FIGURE
  const formats: Readonly<Record<string, (value: number) => string>> = {
    count: compactNumber,
    ratio: decimal,
    fraction: percent,
    seconds: duration,
    scroll: (depth) => percent(depth / 100),
    cents: (cents) => money(cents, usual, true),
  }
  return (formats[format] ?? compactNumber)(value)
}

/** The same with every digit, for where a figure stands alone. */
export const fullFigure = (value: number | null, format: string): string => {
  if (value === null) return NO_FIGURE
  if (format === 'cents') return money(value)
  return format === 'count' ? number(value) : figure(value, format)
}

/** A step of a scale: as short as it can be said. */
export function axisFigure(value: number, format: string): string {
  if (format === 'fraction' && Number.isInteger(Number((value * 100).toPrecision(12))))
    return wholePercent.format(value)
  if (format !== 'seconds') return figure(value, format)
  const { h, m, s } = common.time
  if (value !== 0 && value % 3600 === 0) return `${value / 3600}${h}`
  return value !== 0 && value % 60 === 0 ? `${value / 60}${m}` : `${value}${s}`
}
