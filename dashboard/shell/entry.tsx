// The one card of the pages before one is in.
import type { ReactNode } from 'react'
import styles from './entry.module.css'
import { Mark } from './mark.tsx'

export interface EntryProps {
  readonly title: ReactNode
  readonly subtitle?: ReactNode
  readonly children: ReactNode
  /** Under the card. */
  readonly foot?: ReactNode
}

export function Entry({ title, subtitle, children, foot }: EntryProps) {
  return (
    <main className={styles.entry} id="main">
      <Mark isLarge />
      <div className={styles.card}>
        <div className={styles.titles}>
          <h1>{title}</h1>
          {subtitle !== undefined && <p>{subtitle}</p>}
        </div>
        {children}
      </div>
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </main>
  )
}
