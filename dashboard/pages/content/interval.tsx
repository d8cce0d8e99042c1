// A difference and its interval on a line that all versions share: an interval beside the middle is a
// difference.
import type { VersionResult } from '../../api/content.ts'
import { signedGrowth, signedPoints } from '../../change.ts'
import { NO_FIGURE } from '../../format.ts'
import { cx } from '../../parts/cx.ts'
import { content as text } from '../../texts/index.ts'
import styles from './content.module.css'

const words = text.results
const WIDTH = 200
const HEIGHT = 24
const EDGE = 6
const MIDDLE = HEIGHT / 2

type Told = Pick<VersionResult, 'difference' | 'interval' | 'rate' | 'verdict'>

/** The same scale for all of them: how far the farthest is from nothing. */
export const reachOf = (results: readonly Told[]): number =>
  Math.max(
    0.001,
    ...results.flatMap(({ difference, interval }) => [difference ?? 0, ...(interval ?? [])]).map(Math.abs),
  )

/** In points, and against the rate of the first version. */
function differenceWords(difference: number, rate: number | null): string {
  const growth = rate === null ? undefined : signedGrowth(difference, rate - difference)
  return growth === undefined ? signedPoints(difference) : words.differs(signedPoints(difference), growth)
}

export function Interval({ result, reach }: { result: Told; reach: number }) {
  const { difference, interval, rate, verdict } = result
  if (difference === null) return NO_FIGURE
  const x = (share: number): number => WIDTH / 2 + (share / reach) * (WIDTH / 2 - EDGE)
  const said = interval ? ` ${words.interval(signedPoints(interval[0]), signedPoints(interval[1]))}` : ''
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
        <strong>{differenceWords(difference, rate)}</strong>
        <span className={styles.small}>{said}</span>
      </span>
    </span>
  )
}
