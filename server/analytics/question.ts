// What the four endpoints are asked, understood: the window, the clauses, and the parts that every answer
// carries.
import type { Facts } from '../stores/facts.ts'
import type { Keys } from '../kernel/keys.ts'
import { invalid } from '../kernel/problem.ts'
import { DAY_MS, dayOf } from '../kernel/days.ts'
import { VISIT_GAP_MINUTES } from '../stores/session-columns.ts'
import { parseWindow, type Span, type Window, type WindowDefaults, type WindowQuery } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import type { Currency, Rates } from '../rates/rates.ts'
import { type Clause, type ClauseInput, describeClause, type Goals, parseClauses } from './clauses.ts'
import type { Scope } from './facts.ts'

/** What these answers need of the server. */
export interface AnalyticsDeps {
  readonly facts: Facts
  readonly keys: Keys
  readonly rates: Rates
  readonly config: { readonly baseUrl: string }
  readonly now: () => number
}

export interface AnalyticsInput extends WindowQuery {
  readonly clauses?: readonly ClauseInput[] | null | undefined
  /** Conversions that the clauses name (goals.ts). */
  readonly goals?: Goals | undefined
}

/** The property as a question is understood by it. */
export type AskedProperty = Pick<Property, 'id'> & WindowDefaults & { readonly money?: Currency | undefined }

/** A question past its parsing: nothing in it can be wrong any more. */
export interface Question {
  readonly propertyId: string
  readonly window: Window
  readonly clauses: readonly Clause[]
  /** In which money is told; left out: US cents. */
  readonly money?: Currency | undefined
}

export function parseInput(deps: Pick<AnalyticsDeps, 'now'>, property: AskedProperty, ask: AnalyticsInput): Question {
  return {
    propertyId: property.id,
    window: parseWindow(ask, deps.now(), property),
    clauses: parseClauses(ask.clauses ?? [], ask.goals),
    money: property.money,
  }
}

export function scopeOf(question: Question, span: Span = question.window): Scope {
  const { propertyId, clauses, money } = question
  return { propertyId, span, clauses, money }
}

const OPEN_MS = VISIT_GAP_MINUTES * 60_000

/**
 * What began since then may still go on. Sessions of an earlier day are over, so that what is kept of the
 * days before does not change with the time of day.
 */
export const openFrom = (nowMs: number): number => Math.max(dayOf(nowMs) * DAY_MS, nowMs - OPEN_MS)

/** `inputs` of every answer; the endpoints add their own. */
export function inputsOf(question: Question, ask: AnalyticsInput) {
  const { period, dateFrom, dateTo } = question.window
  return {
    period,
    date_from: dateFrom,
    date_to: dateTo,
    ...(ask.timezone && { timezone: ask.timezone }),
    clauses: ask.clauses ?? [],
  }
}

/**
 * Characters of JSON of an input that changes nothing: more than a client keeps for itself, and little to
 * send back.
 */
export const MAX_ECHOED = 10_000

/**
 * An input that is accepted for the sake of older clients and only repeated.
 * @throws Problem('validation_failed') when it is too large.
 */
export function echoedInput(field: string, value: unknown, byDefault: unknown): unknown {
  if (value === undefined || value === null) return byDefault
  if (JSON.stringify(value).length > MAX_ECHOED)
    throw invalid(field, `${field} may have at most ${MAX_ECHOED} characters of JSON.`)
  return value
}

export function metaOf(showing: string, clauses: readonly Clause[], elapsed: () => number) {
  return { showing, filters: clauses.map(describeClause), took_ms: elapsed() }
}

/**
 * Milliseconds since the call, with three decimals. The clock of `deps` tells the time of day and may stand
 * still in a test.
 */
export function stopwatch(): () => number {
  const start = performance.now()
  return () => Math.round((performance.now() - start) * 1000) / 1000
}

/** The work's result and how long it took. */
export async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; query_ms: number }> {
  const elapsed = stopwatch()
  const result = await work
  return { result, query_ms: elapsed() }
}
