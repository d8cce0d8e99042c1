// The eight summary metrics, and visits for the dashboard: how each is named, computed from counted columns,
// rounded and compared. docs/definitions.md, "Summary", is the law of this file.
import { byName } from '../kernel/by-name.ts'
import { safeSum } from '../kernel/money.ts'
import { type Currency, inCurrency } from '../rates/rates.ts'
import { BOUNCE_SECONDS, bouncedColumns, type SessionColumn, VISIT_GAP_MINUTES } from '../stores/session-columns.ts'
import { sessionStates, type SessionSum, sessionSums } from '../stores/session-sums.ts'
import type { SummaryJson } from './answer-schema.ts'
import { comparedEntry, round } from './compared.ts'

export { round }

/** What the facts count for a set of sessions; each metric is made of some of them. */
const { bounced: bouncedRowSql, measured: measuredSql } = sessionStates
/** A bounce that began at `open_ms` or later may still become none. */
const isOverSql = "entry_at < fromUnixTimestamp64Milli({open_ms:Int64}, 'UTC')"
const judgedColumns = [...bouncedColumns, 'has_scroll', 'entry_at'] as const

interface FigureSource {
  readonly columns: readonly SessionColumn[]
  readonly sql: string
  /** What is the same of days of which all sessions are over. */
  readonly sum: SessionSum
}

const ofSum = (sum: SessionSum, ...columns: SessionColumn[]): FigureSource => ({
  columns,
  sql: sessionSums[sum].sql,
  sum,
})

/**
 * What is counted of a set of sessions, each with what it reads of a session and its SQL over rows of these
 * columns.
 */
export const figureSources = {
  sessions: ofSum('sessions'),
  views: ofSum('views', 'view_count'),
  bounced: ofSum('bounced', ...bouncedColumns),
  seconds: ofSum('seconds', 'seconds_sum'),
  /** Sum of avg_max_scroll over the sessions with a known scroll, and the number of these. */
  scroll: ofSum('scroll', 'scroll_mean', 'has_scroll'),
  scrolled: ofSum('scrolled', 'has_scroll'),
  /** Sessions with a time or a scroll from a ping. */
  measured: ofSum('measured', 'seconds_sum', 'has_scroll'),
  /** Those of them of which it is settled whether they bounced, and those that did. */
  judged: {
    columns: judgedColumns,
    sql: `countIf(${measuredSql} AND (NOT (${bouncedRowSql}) OR ${isOverSql}))`,
    sum: 'measured',
  },
  judged_bounces: {
    columns: judgedColumns,
    sql: `countIf(${measuredSql} AND ${bouncedRowSql} AND ${isOverSql})`,
    sum: 'measured_bounces',
  },
  /** USD cents, or what they are in the currency that is asked for (figureSql). */
  value: ofSum('value', 'value_usd_sum', 'day'),
  re_entries: ofSum('re_entries', 're_entries'),
} as const satisfies Record<string, FigureSource>

export type FigureName = keyof typeof figureSources

/** The SQL of a figure over rows of sessions. */
export const figureSql = (name: FigureName, money?: Currency): string =>
  name === 'value' && money ? `sum(${inCurrency('toFloat64(value_usd_sum)', money)})` : figureSources[name].sql

/** The same over rows of sums of a day, which hold it by its name there. */
export function summedSql(name: FigureName, money?: Currency): string {
  const { sum } = figureSources[name]
  return `sum(${name === 'value' ? inCurrency(sum, money) : sum})`
}

/** Metrics are made of these. */
export type Figures = Record<FigureName, number>

export const figureNames = Object.keys(figureSources) as FigureName[]
export const noFigures: Readonly<Figures> = byName(figureNames, () => 0)

/** Every figure is a sum over sessions, so those of a window are the sums over its buckets. */
export function sumOf(parts: readonly Figures[]): Figures {
  const sum = { ...noFigures }
  for (const part of parts) for (const name of figureNames) sum[name] += part[name]
  return sum
}

export const metricFormats = ['count', 'ratio', 'fraction', 'seconds', 'scroll', 'cents'] as const

interface Metric {
  readonly label: string
  /** In a sentence for its owner; docs/definitions.md says it exactly. */
  readonly definition: string
  readonly format: (typeof metricFormats)[number]
  readonly isReverse: boolean
  readonly decimals: number
  readonly needs: readonly FigureName[]
  readonly of: (figures: Figures) => number
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

export const metrics = {
  sessions: {
    label: 'Sessions',
    definition:
      'One visitor’s activity on one day (UTC). Coming back later on the same day is the same session. Bots are left out.',
    format: 'count',
    isReverse: false,
    decimals: 0,
    needs: ['sessions'],
    of: (f) => f.sessions,
  },
  views: {
    label: 'Views',
    definition: 'Pages that were loaded, each time they were.',
    format: 'count',
    isReverse: false,
    decimals: 0,
    needs: ['views'],
    of: (f) => f.views,
  },
  views_session: {
    label: 'Views per session',
    definition: 'Views divided by sessions.',
    format: 'ratio',
    isReverse: false,
    decimals: 2,
    needs: ['sessions', 'views'],
    of: (f) => share(f.views, f.sessions),
  },
  bounce: {
    label: 'Bounce rate',
    definition: `Share of sessions with one view at most, no event, nothing bought or sent by a form, and less than ${BOUNCE_SECONDS} seconds on the page. Lower is better.`,
    format: 'fraction',
    isReverse: true,
    decimals: 4,
    needs: ['sessions', 'bounced'],
    of: (f) => share(f.bounced, f.sessions),
  },
  duration: {
    label: 'Time on site',
    definition: 'Mean time that a session’s pages were in view, over all sessions.',
    format: 'seconds',
    isReverse: false,
    decimals: 0,
    needs: ['sessions', 'seconds'],
    of: (f) => share(f.seconds, f.sessions),
  },
  scroll: {
    label: 'Scroll depth',
    definition:
      'How far down its pages a session got, as a mean over the sessions for which it is known. 100 is the end of the page.',
    format: 'scroll',
    isReverse: false,
    decimals: 0,
    needs: ['scroll', 'scrolled'],
    of: (f) => exact(share(f.scroll, f.scrolled)),
  },
  // Costs are of no session: whoever shows it takes it from spend.ts.
  cost: {
    label: 'Cost',
    definition: 'What advertising cost, as it was imported.',
    format: 'cents',
    isReverse: true,
    decimals: 0,
    needs: [],
    of: () => 0,
  },
  value: {
    label: 'Value',
    definition: 'What sessions brought in, in the currency of the property at the rate of the day.',
    format: 'cents',
    isReverse: false,
    decimals: 0,
    needs: ['value'],
    of: (f) => exact(safeSum([f.value])),
  },
} as const satisfies Record<string, Metric>

export type MetricId = keyof typeof metrics
export const metricIds = Object.keys(metrics) as MetricId[]

/** Sessions as tools count them that begin a new one after thirty idle minutes. Not part of the contract. */
const visits = {
  label: 'Visits',
  definition: `Sessions plus returns after more than ${VISIT_GAP_MINUTES} minutes without activity: the count that tools give which begin a new session then.`,
  format: 'count',
  isReverse: false,
  decimals: 0,
  needs: ['sessions', 're_entries'],
  of: (f) => f.sessions + f.re_entries,
} as const satisfies Metric

const { sessions, ...others } = metrics

/** In the order in which the dashboard shows them. */
export const shownMetrics = { sessions, visits, ...others } as const
export type ShownMetricId = keyof typeof shownMetrics
export const shownMetricIds = Object.keys(shownMetrics) as ShownMetricId[]

/**
 * Means of what sessions did, which is not known of every session: the same figures of those of which it is.
 */
const ofKnown = {
  bounce: (f) => ({ ...f, sessions: f.judged, bounced: f.judged_bounces }),
  duration: (f) => ({ ...f, sessions: f.measured }),
  scroll: (f) => ({ ...f, sessions: f.scrolled }),
} as const satisfies Partial<Record<ShownMetricId, (figures: Figures) => Figures>>

export type KnownMetricId = keyof typeof ofKnown
export const knownMetricIds = Object.keys(ofKnown) as KnownMetricId[]
export const isKnownMetric = (id: ShownMetricId): id is KnownMetricId => Object.hasOwn(ofKnown, id)
export const knownFigureNames = ['measured', 'judged', 'judged_bounces', 'scrolled'] as const satisfies FigureName[]

/** Of how many sessions the metric is known, and its value over these; null without any. */
export function knownValue(
  id: KnownMetricId,
  figures: Figures,
  valueOf: (id: ShownMetricId, figures: Figures) => number,
): { readonly sessions: number; readonly value: number | null } {
  const known = ofKnown[id](figures)
  return { sessions: known.sessions, value: known.sessions > 0 ? valueOf(id, known) : null }
}

/** The figures that some metrics are made of, each once. */
export function neededBy(ids: readonly ShownMetricId[]): FigureName[] {
  return figureNames.filter((name) =>
    ids.some((id) => (shownMetrics[id].needs as readonly FigureName[]).includes(name)),
  )
}

/**
 * A mean of means comes in whatever order the threads finished: its last binary digits are noise and must not
 * decide a rounding.
 */
function exact(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12))
}

export function metricValue(id: ShownMetricId, figures: Figures): number {
  return round(shownMetrics[id].of(figures), shownMetrics[id].decimals)
}

/** Series of a graph say some metrics with more decimals, and bounce in percent. */
export const graphMetricIds = ['sessions', 'views', 'views_session', 'bounce', 'duration', 'scroll'] as const
export type GraphMetricId = (typeof graphMetricIds)[number]

export function graphValue(id: ShownMetricId, figures: Figures): number {
  const value = shownMetrics[id].of(figures)
  if (id === 'bounce') return round(value * 100, 3)
  return round(value, id === 'views_session' ? 3 : 0)
}

export const metricCatalog = metricIds.map((id) => ({
  key: id,
  label: metrics[id].label,
  format: metrics[id].format,
  is_reverse: metrics[id].isReverse,
}))

export const graphMetricChoices = graphMetricIds.map((id) => ({ id, label: metrics[id].label }))

/** @param previousFigures undefined when the preceding window has no sessions: then nothing is compared. */
export function summaryEntry(
  id: ShownMetricId,
  currentFigures: Figures,
  previousFigures: Figures | undefined,
): SummaryJson {
  const previous = previousFigures && metricValue(id, previousFigures)
  return comparedEntry({ current: metricValue(id, currentFigures), previous }, shownMetrics[id])
}
