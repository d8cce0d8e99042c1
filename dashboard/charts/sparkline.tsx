// A series as one small line: its shape, without a scale. What is not known is a gap.
import { dotPath, linePath } from './geometry.ts'
import styles from './sparkline.module.css'

const WIDTH = 96
const HEIGHT = 28
const EDGE = 2

export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const most = Math.max(...values.map((value) => value ?? 0), 0)
  const step = (WIDTH - 2 * EDGE) / Math.max(1, values.length - 1)
  const points = values.map((value, index) =>
    value === null
      ? null
      : { x: EDGE + index * step, y: HEIGHT - EDGE - (most === 0 ? 0 : value / most) * (HEIGHT - 2 * EDGE) },
  )
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={linePath(points)} />
      <path className={styles.dots} d={dotPath(points)} />
      <path className={styles.last} d={dotPath([points.findLast((point) => point !== null) ?? null])} />
    </svg>
  )
}
