// How a measure is written, and the colour of its rating.
import type { Speed, Vital } from '../../api/speed.ts'
import { number } from '../../format.ts'
import { speed as text } from '../../texts/index.ts'

export const vitalNames = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
export type VitalName = (typeof vitalNames)[number] & keyof NonNullable<Speed['all']>

export const toneOf = { good: 'good', needs_improvement: 'warn', poor: 'bad' } as const

/** `2.4 s`, `180 ms`, `0.04`. */
export function valueOf(name: VitalName, { p75 }: Pick<Vital, 'p75'>): string {
  if (p75 === null) return text.none
  if (name === 'cls') return number(Math.round(p75 * 100) / 100)
  return p75 < 1000 ? text.milliseconds(number(p75)) : text.seconds(number(Math.round(p75 / 100) / 10))
}
