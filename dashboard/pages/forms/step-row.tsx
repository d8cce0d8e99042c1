// Where a step of a form begins: a line between fields, with its title.
import { X } from 'lucide-react'
import { IconButton } from '../../parts/button.tsx'
import { forms as text } from '../../texts/index.ts'
import type { FieldDraft } from './draft.ts'
import styles from './forms.module.css'
import { Handle, type HandleProps } from './handle.tsx'

interface StepRowProps extends Omit<HandleProps, 'label'> {
  readonly step: FieldDraft
  readonly onTitle: (title: string) => void
  readonly onRemove: () => void
}

export function StepRow({ step, onTitle, onMove, onGrab, onRemove }: StepRowProps) {
  return (
    <div className={styles.cardRow}>
      <Handle label={step.label} onMove={onMove} onGrab={onGrab} />
      <input
        className={styles.stepTitle}
        aria-label={text.builder.stepLabel}
        value={step.label}
        maxLength={255}
        onChange={({ currentTarget }) => onTitle(currentTarget.value)}
      />
      <IconButton label={text.builder.removeStep(step.label)} icon={<X />} onClick={onRemove} />
    </div>
  )
}
