// A few figures side by side, each with its name and what it means. And their skeleton, of the same size.
import type { ReactNode } from 'react'
import styles from './figures.module.css'
import { Skeleton, SkeletonLines } from './states.tsx'

export interface Figure {
  readonly label: string
  readonly value: ReactNode
  /** What it counts. */
  readonly hint?: ReactNode
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={styles.value}>{value}</dd>
          {hint !== undefined && <dd className={styles.hint}>{hint}</dd>}
        </div>
      ))}
    </dl>
  )
}

export const FiguresSkeleton = ({ count }: { count: number }) => (
  <div className={styles.figures}>
    {Array.from({ length: count }, (_, index) => (
      <div key={index}>
        <Skeleton width="4rem" />
        <div className={styles.value}>
          <Skeleton width="5rem" />
        </div>
        <SkeletonLines lines={2} />
      </div>
    ))}
  </div>
)

/** Panels side by side where there is room. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>
