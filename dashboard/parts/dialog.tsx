// Native dialogs, centred or from the side. They trap the focus, close on Escape or a click outside, and
// restore the focus.
import { X } from 'lucide-react'
import { type FormEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { common as text } from '../texts/index.ts'
import { Around, type AroundProps, useAroundKeys } from './around.tsx'
import { Button, IconButton } from './button.tsx'
import { ClosingContext } from './closing.ts'
import { cx } from './cx.ts'
import styles from './dialog.module.css'
import { TextField } from './fields.tsx'

export interface DialogProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the end; the last one is the main one. */
  readonly actions?: ReactNode
  readonly size?: 'small' | 'normal' | 'wide' | undefined
  /** A drawer comes from the side; it shows the details of a row. */
  readonly side?: boolean | undefined
  /** Under the title. */
  readonly subtitle?: ReactNode
  /** The records beside the one that a drawer shows. */
  readonly around?: AroundProps | undefined
}

/** What a dialog asks for first; without any field, and in a drawer, reading begins at the title. */
const firstField =
  '[data-content] :is(input:not([type=hidden], [tabindex="-1"], :disabled), select:not(:disabled), textarea:not(:disabled))'

/** Open while it is part of the page: `{isOpen && <Dialog …/>}`. */
export function Dialog(props: DialogProps) {
  const { title, subtitle, onClose, children, actions, around, size = 'normal', side = false } = props
  const onKeyDown = useAroundKeys(around)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const { current: shown } = dialog
    shown?.showModal()
    const asked = side ? null : shown?.querySelector<HTMLElement>(firstField)
    const target = asked ?? heading.current
    target?.focus()
    return () => shown?.close() // gives the focus back, which removing it would not
  }, [side])
  // Another dialog in the same place, and what had the focus is gone: reading goes on at the new title.
  const read = useRef(title)
  useLayoutEffect(() => {
    if (read.current === title) return
    read.current = title
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  /** What was begun in a form is not lost by a click beside it. */
  const closeBeside = ({ target, currentTarget }: MouseEvent): void => {
    if (target === currentTarget && !currentTarget.querySelector('form')) onClose()
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={cx(styles.dialog, styles[size], side && styles.side)}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={closeBeside}
      onKeyDown={onKeyDown}
    >
      <div className={styles.inside}>
        <header className={styles.header}>
          <div className={styles.titles}>
            <h2 ref={heading} id={id} tabIndex={-1}>
              {title}
            </h2>
            {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
          </div>
          <span className={styles.corner}>
            {around && <Around {...around} />}
            <IconButton label={text.actions.close} icon={<X />} onClick={onClose} />
          </span>
        </header>
        <div className={styles.content} data-content="">
          <ClosingContext value={actions === undefined ? onClose : undefined}>{children}</ClosingContext>
        </div>
        {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  )
}

/** A dialog from the side. Drive it by the URL, so that Back closes it and a link opens it. */
export const Drawer = (props: Omit<DialogProps, 'side'>) => <Dialog {...props} side />

export interface ConfirmDialogProps {
  readonly title: string
  /** What is lost. */
  readonly children: ReactNode
  /** The verb on the button: “Delete the form”. */
  readonly action: string
  /** Has to be typed first; for what cannot be undone. */
  readonly typed?: string | undefined
  /** @returns when it is done; what it throws is shown. */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmDialogProps) {
  const form = useId()
  const [given, setGiven] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isReady = typed === undefined || given.trim() === typed.trim()

  const confirm = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady || isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : text.errors.unknown)
      setBusy(false)
    }
  }

  const actions = (
    <>
      <Button onClick={onClose}>{text.actions.cancel}</Button>
      <Button type="submit" form={form} look="danger" disabled={!isReady} isBusy={isBusy}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} size="small" actions={actions}>
      <form id={form} onSubmit={(event) => void confirm(event)} className={styles.confirm}>
        <div>{children}</div>
        {typed !== undefined && (
          <TextField label={text.confirm.type(typed)} value={given} onChange={setGiven} autoComplete="off" />
        )}
        {problem !== undefined && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}
