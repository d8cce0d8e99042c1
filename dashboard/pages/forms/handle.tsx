// What a row of the field list is moved by: dragged, or with the arrow keys.
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'

export interface HandleProps {
  readonly label: string
  readonly onMove: (by: number) => void
  readonly onGrab: (event: PointerEvent) => void
}

export function Handle({ label, onMove, onGrab }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <button
      type="button"
      aria-label={text.builder.move(label)}
      title={text.builder.move(label)}
      className={styles.handle}
      onKeyDown={onKeyDown}
      onPointerDown={onGrab}
    >
      <GripVertical aria-hidden="true" />
    </button>
  )
}
