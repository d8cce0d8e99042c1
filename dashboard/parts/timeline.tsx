// What happened, one thing under the other, joined by a line: an icon, what it was, and when.
import type { ReactNode } from 'react'
import { dateTime } from '../format.ts'
import { cx } from './cx.ts'
import styles from './timeline.module.css'

export interface TimelineProps {
  /** Room for more than a line of each. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export const Timeline = ({ isWide = false, children }: TimelineProps) => (
  <ol className={cx(styles.timeline, isWide && styles.wide)}>{children}</ol>
)

export interface HappeningProps {
  readonly icon: ReactNode
  /** It stands out. */
  readonly isSpecial?: boolean
  readonly title: ReactNode
  /** Unix seconds. */
  readonly ts: number
  /** Instead of day and time; beside the happening on a phone as well. */
  readonly when?: ReactNode
  readonly children?: ReactNode
}

export const Happening = ({ icon, isSpecial = false, title, ts, when, children }: HappeningProps) => (
  <li className={cx(styles.happening, when !== undefined && styles.brief)}>
    <span className={cx(styles.icon, isSpecial && styles.special)} aria-hidden="true">
      {icon}
    </span>
    <div className={styles.what}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
    <time
      dateTime={new Date(ts * 1000).toISOString()}
      title={when === undefined ? undefined : dateTime(ts)}
      className={styles.when}
    >
      {when ?? dateTime(ts)}
    </time>
  </li>
)
