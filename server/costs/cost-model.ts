// What a campaign cost on a day: what may be said of it, and how it is read. docs/definitions.md, "Cost", is
// the law of this file.
import type { CellFault } from '../csv/cells.ts'
import { cleanText } from '../enrich/enrich.ts'
import { dayFromText, dayOf, dayText } from '../kernel/days.ts'
import { currencyExponent, MAX_MINOR, toUsdCents } from '../kernel/money.ts'
import type { RateTable } from '../rates/rates.ts'

/** By these a row is known: the second of one day replaces the first. */
export const costKeys = ['day', 'source', 'medium', 'campaign'] as const
export type CostKey = Readonly<Record<(typeof costKeys)[number], string>>

export interface Cost extends CostKey {
  /** Minor units of the currency. 0 is no row. */
  readonly amount: number
  readonly currency: string
  /** US cents at the rate of the day. */
  readonly amount_usd: number
}

/** A row as it was sent: nothing of it is checked but its types. */
export interface CostDraft {
  readonly day: string
  readonly source: string
  readonly medium?: string | null | undefined
  readonly campaign?: string | null | undefined
  readonly amount: number
  readonly currency?: string | null | undefined
}

/** As UTM values of page views are kept: longer ones are cut there, and would never be found. */
const MAX_TEXT = 255
const FIRST_DAY = dayFromText('2000-01-01')
const dayShape = /^\d{4}-\d{2}-\d{2}$/

/** What every row of an import is read with. */
export interface Reading {
  readonly rates: RateTable
  /** Of rows that name none. */
  readonly currency: string
  readonly nowMs: number
}

/** YYYY-MM-DD of a day that there is. */
export const isDay = (text: string): boolean => dayShape.test(text) && dayText(dayFromText(text)) === text

function dayFault(text: string, nowMs: number): string | undefined {
  if (!isDay(text)) return 'must be a date as 2026-01-31'
  const day = dayFromText(text)
  if (day < FIRST_DAY) return 'must not be before 2000-01-01'
  // Somewhere it is tomorrow already.
  return day > dayOf(nowMs) + 1 ? 'must not be in the future' : undefined
}

function textFault(text: string, isNeeded: boolean): string | undefined {
  if (isNeeded && text === '') return 'is needed'
  return text.length > MAX_TEXT ? `may have at most ${MAX_TEXT} characters` : undefined
}

function amountFault(amount: number): string | undefined {
  if (!Number.isSafeInteger(amount) || amount < 0) return 'must be a whole number of minor units, 0 or more'
  return amount > MAX_MINOR ? 'is larger than any that can be kept' : undefined
}

/** As UTM values are kept. More than the limit is told, not cut. */
const cleaned = (text: string | null | undefined): string => cleanText(text ?? '', MAX_TEXT * 4)

/** The row, or what is wrong with it. */
export function readCost(draft: CostDraft, { rates, currency: usual, nowMs }: Reading): Cost | CellFault[] {
  const [source, medium, campaign] = [cleaned(draft.source), cleaned(draft.medium), cleaned(draft.campaign)]
  const currency = (draft.currency ?? '').trim().toUpperCase() || usual
  const isKnown = currencyExponent(currency) !== undefined
  const rated = isKnown ? rates.at(currency, dayShape.test(draft.day) ? Date.parse(draft.day) : nowMs) : undefined
  const reasons: readonly (readonly [string, string | undefined])[] = [
    ['day', dayFault(draft.day, nowMs)],
    ['source', textFault(source, true)],
    ['medium', textFault(medium, false)],
    ['campaign', textFault(campaign, false)],
    ['amount', amountFault(draft.amount)],
    ['currency', isKnown ? undefined : 'must be a currency code of ISO 4217, as EUR'],
    ['currency', isKnown && !rated ? 'has no exchange rate' : undefined],
  ]
  const faults = reasons.flatMap(([field, reason]) => (reason ? [{ field, reason }] : []))
  if (faults.length > 0 || !rated) return faults
  const amount_usd = toUsdCents(draft.amount, rated)
  if (amount_usd > MAX_MINOR) return [{ field: 'amount', reason: 'is larger than any that can be kept' }]
  return { day: draft.day, source, medium, campaign, amount: draft.amount, currency, amount_usd }
}

const amountShape = /^(\d{1,15})(?:[.,](\d{1,9}))?$/

/** `12.50` in whole units of the currency as minor units, rounded half up; undefined when it is no amount. */
export function readAmount(text: string, currency: string): number | undefined {
  const [, whole, part = ''] = amountShape.exec(text.trim()) ?? []
  const exponent = currencyExponent(currency)
  if (whole === undefined || exponent === undefined) return undefined
  const minor = Number(`${whole}${part.slice(0, exponent).padEnd(exponent, '0')}`)
  return minor + (Number(part[exponent] ?? '0') >= 5 ? 1 : 0)
}

export const keyOf = ({ day, source, medium, campaign }: CostKey): string =>
  JSON.stringify([day, source, medium, campaign])
