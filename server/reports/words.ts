// Numbers of a report as text, and what is said of how they changed.
import type { CardJson } from '../overview/overview.ts'

const number = new Intl.NumberFormat('en-GB')
const oneDecimal = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 0 })

export const counted = (value: number): string => number.format(value)

/** `2:05` of 125 seconds. */
function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export function shown(value: number, format: CardJson['format'], currency: string): string {
  switch (format) {
    case 'fraction':
      return percent.format(value)
    case 'scroll':
      return `${Math.round(value)}%`
    case 'seconds':
      return duration(value)
    case 'cents':
      return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(value / 100)
    case 'ratio':
      return oneDecimal.format(value)
    case 'count':
      return counted(value)
  }
}

const signed = (words: string, isUp: boolean): string => `${isUp ? '+' : '−'}${words}`

/** Of a rate in points, of anything else in percent; '' where nothing can be compared. */
export function changed(value: number, before: number | null, format: CardJson['format']): string {
  if (before === null) return ''
  if (format === 'fraction' || format === 'scroll') {
    const points = Math.round((value - before) * (format === 'fraction' ? 100 : 1))
    return points === 0 ? 'no change' : signed(`${Math.abs(points)} points`, points > 0)
  }
  if (before === 0) return value === 0 ? 'no change' : 'new'
  const share = Math.round((value / before - 1) * 100)
  return share === 0 ? 'no change' : signed(`${counted(Math.abs(share))}%`, share > 0)
}
