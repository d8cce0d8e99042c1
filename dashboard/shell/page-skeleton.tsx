// The shape of a page before it is known which.
import { Skeleton } from '../parts/states.tsx'
import { common as text } from '../texts/index.ts'
import styles from './page-skeleton.module.css'

export function PageSkeleton({ isAlone = false }: { isAlone?: boolean }) {
  return (
    <div className={isAlone ? styles.alone : styles.page} aria-busy="true" data-alone={isAlone || undefined}>
      <span role="status" className="visually-hidden">
        {text.table.loading}
      </span>
      <Skeleton width="12rem" height="2rem" />
      <Skeleton height="7rem" />
      <Skeleton height="20rem" />
    </div>
  )
}
