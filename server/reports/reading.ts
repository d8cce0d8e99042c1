// Reads a report: the overview of the week or month that is over, as the dashboard would show it.
import type { Context } from '../context.ts'
import { answerOverview, type CardJson, type OverviewJson } from '../overview/overview.ts'
import { dayIn } from '../kernel/zones.ts'
import { storedDay } from '../kernel/days.ts'
import type { Property } from '../properties/properties.ts'
import type { Report, ReportKind, ReportMetric, ReportRow } from './report-model.ts'
import { sentenceOf, type Side } from './sentence.ts'
import { changed, shown } from './words.ts'

export type ReportDeps = Pick<Context, 'config' | 'facts' | 'records' | 'now' | 'rates' | 'answers' | 'properties'>

const periods = { weekly: 'last_week', monthly: 'last_month' } as const
const befores = { weekly: 'the week before', monthly: 'the month before' } as const

/** In this order; value only where there is any. */
const told = ['sessions', 'views', 'bounce', 'duration', 'value'] as const
const MOST_ROWS = 5

const notShared = { isShared: false } as const

function metricOf({ label, format, current, previous, known }: CardJson, currency: string): ReportMetric {
  const value = known ? known.current : current
  const before = known ? known.previous : previous
  if (value === null) return { label, value: '–', change: '' }
  return { label, value: shown(value, format, currency), change: changed(value, before, format) }
}

function metricsOf({ cards, meta }: OverviewJson): ReportMetric[] {
  const byId = new Map(cards.map((card) => [card.id, card]))
  return told
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ id, current, previous }) => id !== 'value' || current !== 0 || (previous ?? 0) !== 0)
    .map((card) => metricOf(card, meta.currency))
}

const topOf = (rows: OverviewJson['lists']['source']['rows']): ReportRow[] =>
  rows.slice(0, MOST_ROWS).map(({ label, value }) => ({ label, count: value }))

const sideOf = (sessions: number, rows: OverviewJson['lists']['source']['rows']): Side => ({
  sessions,
  sources: new Map(rows.map(({ label, value }) => [label, value])),
})

const sessionsOf = ({ cards }: OverviewJson) => cards.find(({ id }) => id === 'sessions')

const dateOf = (zone: string, ts: number): string => storedDay(dayIn(zone, ts * 1000))

/** `16 – 22 Nov 2026`. */
function daysOf(zone: string, { from_ts, to_ts }: OverviewJson['window']): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: zone })
  return format.formatRange(from_ts * 1000, to_ts * 1000 - 1).replaceAll('\u2009', ' ')
}

/** Of the last week or month that is over, by the property's clock and calendar. */
export async function readReport(deps: ReportDeps, property: Property, kind: ReportKind): Promise<Report> {
  const overview = await answerOverview(deps, property, { period: periods[kind] }, notShared)
  const zone = property.timezone
  const { from_ts, to_ts } = overview.previous_window
  const before = { period: 'custom', date_from: dateOf(zone, from_ts), date_to: dateOf(zone, to_ts - 1) }
  const earlier = await answerOverview(deps, property, before, notShared)
  const [sessions, previous] = [sessionsOf(overview)?.current ?? 0, sessionsOf(earlier)?.current ?? 0]
  const conversions = overview.outcomes.conversions.filter(({ count }) => count > 0)
  return {
    kind,
    days: daysOf(zone, overview.window),
    sentence: sentenceOf(
      sideOf(sessions, overview.lists.source.rows),
      sideOf(previous, earlier.lists.source.rows),
      befores[kind],
    ),
    metrics: metricsOf(overview),
    sources: topOf(overview.lists.source.rows),
    pages: topOf(overview.lists.entry_path_full.rows),
    goals: conversions.slice(0, MOST_ROWS).map(({ name, count }) => ({ label: name, count })),
    isEmpty: sessions + previous === 0,
  }
}
