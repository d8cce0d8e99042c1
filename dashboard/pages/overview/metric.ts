// The chosen metric, bucket by bucket, in words. Series say the bounce rate in percent, cards as a fraction.
import type { MetricId, Overview } from '../../api/overview.ts'
import { axisFigure, bucketName, bucketTick, fullFigure, percent } from '../../format.ts'
import { text } from '../../texts/en/overview.ts'
import type { Comparison } from '../../window.ts'

export interface Moment {
  readonly name: string
  readonly tick: string
  readonly isRunning: boolean
  readonly value: number | null
  readonly before: number | null
  readonly shown: string
  readonly shownBefore: string | null
  /** Signed; null when there is nothing to grow from. */
  readonly change: string | null
  /** Of the running bucket, in full. */
  readonly expected: string | null
}

export interface Shown {
  readonly id: MetricId
  readonly label: string
  readonly format: string
  readonly moments: readonly Moment[]
  readonly projected: number | null
  readonly isCompared: boolean
  /** Of a value of the series. */
  readonly tick: (value: number) => string
}

const ofSeries = (value: number, format: string): number => (format === 'fraction' ? value / 100 : value)

function changeOf(value: number | null, before: number | null): string | null {
  if (value === null || before === null || before === 0) return null
  const share = value / before - 1
  return `${share > 0 ? '+' : ''}${percent(share)}`
}

export function shownMetric({ cards, series, inputs }: Overview, id: MetricId, compare: Comparison): Shown {
  const card = cards.find((candidate) => candidate.id === id)
  const format = card?.format ?? 'count'
  const previous = compare === 'none' ? null : (series.previous?.[id] ?? null)
  const projected = series.projected[id]
  const say = (value: number | null): string => fullFigure(value === null ? null : ofSeries(value, format), format)
  const moments = series.buckets.map(({ from_ts, to_ts, is_running }, index): Moment => {
    const value = series.current[id][index] ?? null
    const before = previous?.[index] ?? null
    const isLast = index === series.buckets.length - 1
    return {
      name: bucketName(from_ts, to_ts, inputs.interval),
      tick: bucketTick(from_ts, inputs.interval),
      isRunning: is_running,
      value,
      before,
      shown: say(value),
      shownBefore: previous ? say(before) : null,
      change: previous ? changeOf(value, before) : null,
      expected: isLast && projected !== null ? say(projected) : null,
    }
  })
  return {
    id,
    label: text.metrics[id].label,
    format,
    moments,
    projected,
    isCompared: previous !== null,
    tick: (value) => axisFigure(ofSeries(value, format), format),
  }
}

/** A bucket for the ear. */
export function momentWords({ label, moments }: Shown, index: number, notes: readonly string[]): string {
  const moment = moments[index]
  if (!moment) return ''
  const { name, shown, isRunning, expected, shownBefore, change } = moment
  const parts = [
    `${name}: ${shown} ${label}${isRunning ? `, ${text.graph.soFar}` : ''}`,
    expected !== null && `${text.graph.projected}: ${expected}`,
    shownBefore !== null && `${text.graph.before}: ${shownBefore}${change === null ? '' : `, ${change}`}`,
    notes.length > 0 && `${text.graph.notes}: ${notes.join('; ')}`,
  ]
  return parts.filter((part) => part !== false).join('. ')
}

/** The days of the window that the figures are compared with. */
export function previousSpan({ window, inputs }: Overview): { from_ts: number; to_ts: number } {
  const { from_ts, to_ts } = window
  if (inputs.compare === 'preceding') return { from_ts: 2 * from_ts - to_ts, to_ts: from_ts }
  const yearBefore = (ts: number): number => {
    const date = new Date(ts * 1000)
    return date.setUTCFullYear(date.getUTCFullYear() - 1) / 1000
  }
  return { from_ts: yearBefore(from_ts), to_ts: yearBefore(to_ts) }
}
