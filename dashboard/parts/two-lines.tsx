// A name with smaller text under it, one line each, for the first column of a table; and a skeleton of that
// height.
import type { ReactNode } from 'react'
import { Skeleton } from './states.tsx'
import styles from './two-lines.module.css'

export interface TwoLinesProps {
  readonly mark?: ReactNode
  readonly title: ReactNode
  readonly detail: ReactNode
}

export const TwoLines = ({ mark, title, detail }: TwoLinesProps) => (
  <span className={styles.both}>
    {mark}
    <span className={styles.lines}>
      <span className={styles.title}>{title}</span>
      <span className={styles.detail}>{detail}</span>
    </span>
  </span>
)

export const TwoLinesSkeleton = ({ isNarrow = false }: { isNarrow?: boolean }) => (
  <span className={styles.lines}>
    <span className={styles.title}>
      <Skeleton width={isNarrow ? '5rem' : '12rem'} />
    </span>
    <span className={styles.detail}>
      <Skeleton width={isNarrow ? '7rem' : '8rem'} />
    </span>
  </span>
)
