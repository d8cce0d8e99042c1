// From one submission to its neighbours in the list, without going back to it.
import { ChevronDown, ChevronUp } from 'lucide-react'
import { IconButton } from '../../parts/button.tsx'
import { common } from '../../texts/index.ts'
import styles from './forms.module.css'

export interface StepsProps {
  readonly id: string
  readonly ids: readonly string[]
  readonly onStep: (id: string) => void
}

/** Left out where the list has no other. */
export function Steps({ id, ids, onStep }: StepsProps) {
  const at = ids.indexOf(id)
  if (at < 0 || ids.length < 2) return null
  const [previous, next] = [ids[at - 1], ids[at + 1]]
  return (
    <span className={styles.steps}>
      <IconButton
        label={common.keys.previousRecord}
        icon={<ChevronUp />}
        disabled={previous === undefined}
        onClick={() => previous !== undefined && onStep(previous)}
      />
      <IconButton
        label={common.keys.nextRecord}
        icon={<ChevronDown />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onStep(next)}
      />
    </span>
  )
}
