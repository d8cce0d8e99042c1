// A row of a top list: icon, label, bar, value and percent. A click filters by it, Alt-click excludes it.
import type { MouseEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './bar-row.module.css'

export interface BarRowProps {
  readonly label: ReactNode
  readonly icon?: ReactNode
  /** As it is shown. */
  readonly value: ReactNode
  readonly percent?: ReactNode
  /** Before the value, where there is room for it. */
  readonly extra?: ReactNode
  /** 0 to 1, of the largest row. */
  readonly share: number
  /** `isExcluding` when Alt was held. */
  readonly onChoose?: ((isExcluding: boolean) => void) | undefined
  readonly title?: string | undefined
  readonly isChosen?: boolean | undefined
  /** At the end of the row: a button of its own. */
  readonly action?: ReactNode
}

export function BarRow({ label, icon, value, percent, extra, share, onChoose, title, isChosen, action }: BarRowProps) {
  const filling = (
    <>
      <span className={styles.bar} style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} aria-hidden="true" />
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.label}>{label}</span>
    </>
  )
  const choose = (event: MouseEvent): void => onChoose?.(event.altKey)
  return (
    <li className={styles.row}>
      {onChoose ? (
        <button type="button" className={styles.main} title={title} aria-pressed={isChosen} onClick={choose}>
          {filling}
        </button>
      ) : (
        <span className={styles.main} title={title}>
          {filling}
        </span>
      )}
      {extra !== undefined && <span className={styles.extra}>{extra}</span>}
      <span className={styles.value}>{value}</span>
      {percent !== undefined && <span className={styles.percent}>{percent}</span>}
      {action}
    </li>
  )
}

interface BarListProps {
  readonly head?: readonly [string, string, string?] | undefined
  /** Over the column before the values. */
  readonly extra?: string | undefined
  /** Over the labels: what the reader can choose. */
  readonly start?: ReactNode
  readonly children: ReactNode
}

/** The rows of one list, under the names of their columns. */
export function BarList({ head, extra, start, children }: BarListProps) {
  return (
    <div>
      {head && (
        <div className={styles.head}>
          {start ?? <span aria-hidden="true">{head[0]}</span>}
          {extra !== undefined && (
            <span className={styles.extra} aria-hidden="true">
              {extra}
            </span>
          )}
          <span className={styles.value} aria-hidden="true">
            {head[1]}
          </span>
          {head[2] !== undefined && (
            <span className={styles.percent} aria-hidden="true">
              {head[2]}
            </span>
          )}
        </div>
      )}
      <ul className={styles.list}>{children}</ul>
    </div>
  )
}

/** Of the same height as a row. */
export const BarRowSkeleton = ({ share = 0.5 }: { share?: number }) => (
  <li className={cx(styles.row, styles.loading)} aria-hidden="true">
    <span className={styles.main}>
      <span className={styles.bar} style={{ width: `${share * 100}%` }} />
    </span>
  </li>
)
