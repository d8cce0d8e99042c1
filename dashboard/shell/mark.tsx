// The mark and the name, small.
import { common as text } from '../texts/index.ts'
import styles from './mark.module.css'

export const Mark = ({ isLarge = false }: { isLarge?: boolean }) => (
  <span className={isLarge ? styles.large : styles.mark}>
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" className={styles.ground} />
      <g className={styles.feet}>
        <rect x="8" y="7" width="5.5" height="9.5" rx="2.75" />
        <rect x="8.5" y="18.5" width="4.5" height="4.5" rx="2.25" />
        <rect x="18.5" y="10" width="5.5" height="9.5" rx="2.75" />
        <rect x="19" y="21.5" width="4.5" height="4.5" rx="2.25" />
      </g>
    </svg>
    {text.product}
  </span>
)
