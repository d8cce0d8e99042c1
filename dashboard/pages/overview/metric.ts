// The chosen metric, bucket by bucket, in words. Series say the bounce rate in percent, cards as a fraction.
import type { KnownSeries, MetricId, Overview } from '../../api/overview.ts'
import { type Change, changeOf, changeWords } from '../../change.ts'
import { axisFigure, bucketName, bucketTick, fullFigure, NO_FIGURE, number } from '../../format.ts'
import { overview as text } from '../../texts/index.ts'
import type { Comparison } from '../../window.ts'
import { comparisonOf, knownValues } from './known.ts'

export interface Moment {
  readonly name: string
  readonly tick: string
  readonly isRunning: boolean
  /** Null where it is not known, and where it has not begun. */
  readonly value: number | null
  readonly before: number | null
  readonly shown: string
  /** Of how many sessions, where that is not all. */
  readonly known: string | null
  readonly shownBefore: string | null
  /** Null where one of both is not known. */
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

const wordsOf = (change: Change | null): string | null => (change ? changeWords(change) : null)

type Counted = readonly [sessions: number, known: number]

/** Undefined where it is known of all. */
function knownOf({ series }: Overview, id: MetricId, index: number): Counted | undefined {
  const ofSome: KnownSeries = series.known
  const [sessions, known] = [series.current.sessions[index] ?? 0, ofSome[id]?.sessions[index]]
  return known === undefined || known >= sessions ? undefined : [sessions, known]
}

export function shownMetric(overview: Overview, id: MetricId, compare: Comparison): Shown {
  const { cards, series, inputs } = overview
  const card = cards.find((candidate) => candidate.id === id)
  const format = card?.format ?? 'count'
  const isCompared = comparisonOf(overview, compare) === 'full' && series.previous !== null
  const values = knownValues(id, series.current, series.known)
  const before = isCompared && series.previous ? knownValues(id, series.previous, series.previous_known) : undefined
  const projected = id in series.projected ? series.projected[id as keyof typeof series.projected] : null
  const figureOf = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : ofSeries(value, format)
  const say = (value: number | null | undefined): string => fullFigure(figureOf(value), format)
  const moments = series.buckets.map(({ from_ts, to_ts, is_running }, index): Moment => {
    const [value, earlier] = [values[index] ?? null, before?.[index] ?? null]
    const counted = knownOf(overview, id, index)
    return {
      name: bucketName(from_ts, to_ts, inputs.interval),
      tick: bucketTick(from_ts, inputs.interval),
      isRunning: is_running,
      value,
      before: earlier,
      shown: series.current.sessions[index] === null ? text.graph.notYet : say(value),
      known: counted ? text.known(number(counted[1]), number(counted[0]), counted[0]) : null,
      shownBefore: before ? say(earlier) : null,
      change: wordsOf(changeOf(figureOf(value), figureOf(earlier), format, fullFigure)),
      expected: is_running && projected !== null ? say(projected) : null,
    }
  })
  return {
    id,
    label: text.metrics[id].label,
    format,
    moments,
    projected,
    isCompared,
    tick: (value) => axisFigure(ofSeries(value, format), format),
  }
}

/** A bucket for the ear. */
export function momentWords({ label, moments }: Shown, index: number, notes: readonly string[]): string {
  const moment = moments[index]
  if (!moment) return ''
  const { name, shown, known, isRunning, expected, shownBefore, change } = moment
  const parts = [
    `${name}: ${shown === NO_FIGURE ? text.graph.unknown : shown} ${label}${isRunning ? `, ${text.graph.soFar}` : ''}`,
    known !== null && known,
    expected !== null && `${text.graph.projected}: ${expected}`,
    shownBefore !== null && `${text.graph.before}: ${shownBefore}${change === null ? '' : `, ${change}`}`,
    notes.length > 0 && `${text.graph.notes}: ${notes.join('; ')}`,
  ]
  return parts.filter((part) => part !== false).join('. ')
}
