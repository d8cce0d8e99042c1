// Announcements for screen readers, read politely one after another, and toasts, which everybody sees.
import { Check, CircleAlert, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { openStore } from '../store.ts'
import { common as text } from '../texts/index.ts'
import styles from './announce.module.css'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'

const spoken = openStore('')

/** Said by screen readers, seen by nobody. */
export function announce(words: string): void {
  spoken.set('')
  setTimeout(() => spoken.set(words), 50) // the same words twice are two changes
}

/** What can be done about it. */
export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

export interface ToastWords {
  readonly words: string
  readonly tone: 'good' | 'bad'
  readonly action?: ToastAction | undefined
  readonly id: number
}

const SHOWN_MS = 5_000
/** With something to do, there is time to read and to reach it. */
const OFFERED_MS = 12_000
const toasts = openStore<readonly ToastWords[]>([])
let lastId = 0

/** What was done, or could not be. An error stays until it is sent away. */
export function toast(words: string, tone: ToastWords['tone'] = 'good', action?: ToastAction): void {
  lastId += 1
  toasts.set([...toasts.get().slice(-2), { words, tone, action, id: lastId }])
}

/** For the catch of what a button does. */
export const toastError = (error: unknown): void =>
  toast(error instanceof Error ? error.message : text.errors.unknown, 'bad')

const dismiss = (id: number): void => toasts.set(toasts.get().filter((one) => one.id !== id))

function Toast({ id, words, tone, action }: ToastWords) {
  const shownMs = action ? OFFERED_MS : SHOWN_MS
  const act = (): void => {
    dismiss(id)
    action?.run()
  }
  useEffect(() => {
    if (tone === 'bad') return undefined
    const timer = setTimeout(() => dismiss(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, tone, shownMs])
  return (
    <li className={cx(styles.toast, styles[tone])}>
      {tone === 'good' ? <Check aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
      <span>{words}</span>
      {action && (
        <Button size="small" onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton size="small" label={text.actions.close} icon={<X />} onClick={() => dismiss(id)} />
    </li>
  )
}

/** Once, at the end of the application. */
export function Announcements() {
  const words = useSyncExternalStore(spoken.subscribe, spoken.get)
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  return (
    <>
      <div role="status" className="visually-hidden">
        {words}
      </div>
      <div role="status">
        <ul className={styles.toasts}>
          {shown.map((one) => (
            <Toast key={one.id} {...one} />
          ))}
        </ul>
      </div>
    </>
  )
}
