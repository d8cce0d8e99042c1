// From the record in a drawer to the one before and after it in its list, by button or by J and K.
import { ChevronDown, ChevronUp } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useAreKeysOn } from '../keys.ts'
import { common } from '../texts/index.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

export interface AroundProps {
  readonly previous: (() => void) | undefined
  readonly next: (() => void) | undefined
}

/** @returns undefined where the list has no other. */
export function aroundOf(ids: readonly string[], id: string, show: (id: string) => void): AroundProps | undefined {
  const at = ids.indexOf(id)
  if (at < 0 || ids.length < 2) return undefined
  const stepTo = (to: string | undefined) => (to === undefined ? undefined : () => show(to))
  return { previous: stepTo(ids[at - 1]), next: stepTo(ids[at + 1]) }
}

export function Around({ previous, next }: AroundProps) {
  const areKeysOn = useAreKeysOn()
  return (
    <span className={styles.around}>
      <IconButton
        label={common.keys.previousRecord}
        aria-keyshortcuts={areKeysOn ? 'K' : undefined}
        icon={<ChevronUp />}
        disabled={previous === undefined}
        onClick={previous}
      />
      <IconButton
        label={common.keys.nextRecord}
        aria-keyshortcuts={areKeysOn ? 'J' : undefined}
        icon={<ChevronDown />}
        disabled={next === undefined}
        onClick={next}
      />
    </span>
  )
}

/** For the dialog: what is pressed in a field is text. */
export function useAroundKeys(around: AroundProps | undefined) {
  const areKeysOn = useAreKeysOn()
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (!around || !areKeysOn || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return
    const step = { j: around.next, k: around.previous }[event.key.toLowerCase()]
    if (!step) return
    event.preventDefault()
    step()
  }
}
