// Some figures over time as columns, small enough to be taken in at once. What they say is said in words too.
import { number } from '../format.ts'
import { common as text } from '../texts/index.ts'
import styles from './columns.module.css'
import { Skeleton } from './states.tsx'

export interface ColumnsProps {
  /** What is counted, and over which time. */
  readonly label: string
  readonly values: readonly { readonly label: string; readonly value: number }[]
  /** Under the first and the last; their own labels when left out. */
  readonly ends?: readonly [string, string] | undefined
}

export function Columns({ label, values, ends = [values[0]?.label ?? '', values.at(-1)?.label ?? ''] }: ColumnsProps) {
  const most = Math.max(1, ...values.map(({ value }) => value))
  const words = values.map((one) => `${one.label}: ${number(one.value)}`).join(', ')
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={`${label}. ${words}`} className={styles.columns}>
        {values.map((one, index) => (
          <span key={index} className={styles.column} title={`${one.label}: ${number(one.value)}`}>
            <span
              className={one.value === 0 ? styles.none : styles.bar}
              style={{ height: `${(one.value / most) * 100}%` }}
            />
          </span>
        ))}
      </div>
      <figcaption className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  )
}

/** Of the same height. */
export const ColumnsSkeleton = () => (
  <div className={styles.figure} role="img" aria-label={text.table.loading}>
    <Skeleton height="7rem" />
    <div className={styles.ends}>
      <Skeleton width="3rem" />
    </div>
  </div>
)
