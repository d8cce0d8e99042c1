// A count that rolls when it changes, so that a change is seen. Readers who want no motion have none.
import { useState } from 'react'
import styles from './rolled.module.css'

export function Rolled({ words }: { words: string }) {
  const [first] = useState(words)
  const [hasChanged, setChanged] = useState(false)
  if (words !== first && !hasChanged) setChanged(true)
  return (
    <span key={words} className={hasChanged ? styles.rolled : undefined}>
      {words}
    </span>
  )
}
