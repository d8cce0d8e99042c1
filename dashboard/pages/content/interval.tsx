// A difference and its interval on a line that all versions share: whatever does not touch the middle is a difference.
import type { VersionResult } from '../../api/content.ts'
import { NO_FIGURE, percent } from '../../format.ts'
import { cx } from '../../parts/cx.ts'
import { text } from '../../texts/en/content.ts'
import styles from './content.module.css'

const words = text.results
const WIDTH = 200
const HEIGHT = 24
const EDGE = 6
const MIDDLE = HEIGHT / 2

type Told = Pick<VersionResult, 'difference' | 'interval' | 'verdict'>

/** The same scale for all of them: how far the farthest is from nothing. */
export const reachOf = (results: readonly Told[]): number =>
  Math.max(
    0.001,
    ...results.flatMap(({ difference, interval }) => [difference ?? 0, ...(interval ?? [])]).map(Math.abs),
  )

const signed = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`

export function Interval({ result, reach }: { result: Told; reach: number }) {
  const { difference, interval, verdict } = result
  if (difference === null) return NO_FIGURE
  const x = (share: number): number => WIDTH / 2 + (share / reach) * (WIDTH / 2 - EDGE)
  const said = interval ? ` (${words.interval(signed(interval[0]), signed(interval[1]))})` : ''
  return (
    <span className={styles.difference}>
      {interval && (
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          className={cx(styles.interval, verdict === 'better' && styles.better, verdict === 'worse' && styles.worse)}
          aria-hidden="true"
        >
          <line x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} className={styles.zero} />
          <line x1={x(interval[0])} x2={x(interval[1])} y1={MIDDLE} y2={MIDDLE} className={styles.span} />
          <circle cx={x(difference)} cy={MIDDLE} r={4.5} className={styles.point} />
        </svg>
      )}
      <span>
        <strong>{signed(difference)}</strong>
        <span className={styles.small}>{said}</span>
      </span>
    </span>
  )
}
