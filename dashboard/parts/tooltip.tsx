// A few words on hover and on focus; Escape sends them away. Never the only place where something is said.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { type Align, placeBeside } from './placing.ts'
import styles from './tooltip.module.css'

export interface TooltipProps {
  readonly words: ReactNode
  /** The element in it has these very words as its name: they are not read out twice. */
  readonly isLabel?: boolean | undefined
  readonly align?: Align | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Long enough not to flicker while the pointer passes. */
const SHOW_MS = 250

export function Tooltip({ words, isLabel = false, align = 'center', className, children }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const [isShown, setShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const show = (afterMs: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(true), afterMs)
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    setShown(false)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const { current: floating } = bubble
    if (!isShown || !floating || !anchor.current) return undefined
    floating.showPopover()
    placeBeside(floating, anchor.current, align)
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setShown(false)
      event.preventDefault() // and nothing else goes with it: no filter, no dialog
    }
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('keydown', onKey, true)
      if (floating.isConnected) floating.hidePopover()
    }
  }, [isShown, align])

  return (
    <span
      ref={anchor}
      className={cx(styles.anchor, className)}
      aria-describedby={isShown && !isLabel ? id : undefined}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(SHOW_MS)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(0)}
      onBlur={hide}
    >
      {children}
      <span ref={bubble} id={id} role="tooltip" popover="manual" className={styles.bubble} aria-hidden={isLabel}>
        {words}
      </span>
    </span>
  )
}
