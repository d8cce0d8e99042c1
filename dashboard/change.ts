// How two figures differ, in the words of their readers: counts by percent or times, rates by percentage
// points.
import { compactNumber, figure, number, percent, pointsOf } from './format.ts'
import { common as text } from './texts/index.ts'

export interface Change {
  readonly direction: 'up' | 'down' | 'none'
  /** Without its sign: 35%, ×67, 2.2 points. Empty for no change. */
  readonly amount: string
}

const none: Change = { direction: 'none', amount: '' }

/** More than that is hard to read as a percentage. */
const MANY_TIMES = 10
/** As long as something is left, not all of it is lost. */
const MOST_LOST = 0.99
/** Below it the percentage is shown as 0. */
const LEAST_SHARE = 0.0005

const fractionOf = (value: number, format: string): number => (format === 'scroll' ? value / 100 : value)
const isRate = (format: string): boolean => format === 'fraction' || format === 'scroll'

const pointsWords = (points: number): string => text.change.points(number(points), points)

function growth(value: number, before: number): string {
  const times = value / before
  if (times > MANY_TIMES) return `×${compactNumber(Math.round(times))}`
  const share = Math.abs(times - 1)
  if (share < LEAST_SHARE) return ''
  return percent(times > 0 && times < 1 ? Math.min(share, MOST_LOST) : share)
}

function amountOf(value: number, before: number, format: string): string {
  if (isRate(format)) {
    const points = Math.abs(pointsOf(fractionOf(value, format)) - pointsOf(fractionOf(before, format)))
    return pointsWords(Math.round(points * 10) / 10)
  }
  return before === 0 ? figure(Math.abs(value), format) : growth(value, before)
}

/**
 * Of figures of a metric, a bounce rate as a fraction. What is displayed alike has not changed for its
 * reader. Null where one is not known.
 * @param say how both are displayed.
 */
export function changeOf(
  value: number | null,
  before: number | null,
  format: string,
  say: (value: number, format: string) => string = figure,
): Change | null {
  if (value === null || before === null) return null
  if (say(value, format) === say(before, format)) return none
  const amount = amountOf(value, before, format)
  return amount === '' ? none : { direction: value > before ? 'up' : 'down', amount }
}

const signs = { up: '+', down: '−' } as const

/** In one word or two: +35%, ×67, −2.2 points, no change. */
export function changeWords({ direction, amount }: Change): string {
  if (direction === 'none') return text.change.none
  return amount.startsWith('×') ? amount : signs[direction] + amount
}

/** Two digits that say something, and never more than two decimals. */
function shortPoints(fraction: number): number {
  const points = Number((fraction * 100).toPrecision(2))
  return Math.round(points * 100) / 100
}

const signOf = (value: number): string => (value === 0 ? '' : signs[value > 0 ? 'up' : 'down'])

/** A difference between two rates: +2.2 points. */
export function signedPoints(difference: number): string {
  const points = shortPoints(difference)
  return signOf(points) + pointsWords(Math.abs(points))
}

/**
 * The same against the rate from which it is: +35%. Undefined where there is nothing to grow from, or it does
 * not.
 */
export function signedGrowth(difference: number, from: number): string | undefined {
  const amount = from > 0 ? growth(from + difference, from) : ''
  return amount === '' ? undefined : changeWords({ direction: difference > 0 ? 'up' : 'down', amount })
}
