// A cell that says how something stands: a dot with a word, and below it what there is to say about it.
import type { ReactNode } from 'react'
import { StatusDot, type Tone } from './marks.tsx'
import styles from './status.module.css'

interface StatusProps {
  readonly tone: Tone
  readonly label: string
  readonly children?: ReactNode
}

export const Status = ({ tone, label, children }: StatusProps) => (
  <span className={styles.status}>
    <StatusDot tone={tone}>{label}</StatusDot>
    {children}
  </span>
)

export const StatusDetail = ({ children }: { children: ReactNode }) => <span className={styles.detail}>{children}</span>
