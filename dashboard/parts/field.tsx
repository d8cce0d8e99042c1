// What every field has around it: its label, its hint and its errors, which belong to it for everybody.
import { type ReactNode, useId } from 'react'
import { labelled } from '../field-sentences.ts'
import { cx } from './cx.ts'
import styles from './fields.module.css'

export interface FieldFrame {
  readonly label: ReactNode
  /** For readers alone: where the place says what it is. */
  readonly hidesLabel?: boolean | undefined
  readonly hint?: ReactNode
  /** Sentences of the service or the page. The label is put before a sentence that has no subject. */
  readonly errors?: readonly string[] | undefined
  readonly className?: string | undefined
}

interface FrameIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export function Field({
  label,
  hidesLabel = false,
  hint,
  errors = [],
  className,
  children,
}: FieldFrame & { children: (ids: FrameIds) => ReactNode }) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={cx(styles.field, className)}>
      <label htmlFor={id} className={hidesLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': errors.length > 0 ? true : undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} label={label} errors={errors} />
    </div>
  )
}

export interface FieldErrorProps {
  readonly id?: string
  readonly label?: ReactNode
  readonly errors: readonly string[]
}

export function FieldError({ id, label, errors }: FieldErrorProps) {
  if (errors.length === 0) return null
  const name = typeof label === 'string' ? label : undefined
  return (
    <p id={id} className={styles.error}>
      {errors.map((sentence) => labelled(name, sentence)).join(' ')}
    </p>
  )
}
