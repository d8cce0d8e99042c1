// A managed form drawn by the code that draws it on pages, in a shadow root: texts stay texts. Nothing is
// sent.
import { useEffect, useRef } from 'react'
import { type Blueprint, draw } from '../../../browser/managed.ts'
import styles from './forms.module.css'

interface DrawnProps {
  readonly blueprint: Blueprint
  readonly label: string
  /** The name of a field: it is in sight and marked. */
  readonly edited?: string | undefined
}

/** The whole cell of a field: its label, control and help. */
function cellOf(form: HTMLFormElement, name: string): HTMLElement | undefined {
  const control = [...form.querySelectorAll<HTMLInputElement>('input,select,textarea')].find((one) => one.name === name)
  return control?.closest<HTMLElement>('fieldset, div:not(.step, .b)') ?? undefined
}

/** By its own scrolling: the page stays where it is. */
function bringInto(view: HTMLElement, cell: HTMLElement): void {
  const [around, own] = [view.getBoundingClientRect(), cell.getBoundingClientRect()]
  if (own.top < around.top || own.bottom > around.bottom) view.scrollTop += own.top - around.top - around.height / 3
}

export function Drawn({ blueprint, label, edited }: DrawnProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current: view } = place
    const host = document.createElement('div')
    const form = draw(host, blueprint)
    form.addEventListener('submit', (event) => event.preventDefault())
    const { scrollTop } = view ?? { scrollTop: 0 }
    view?.replaceChildren(host)
    if (!view || edited === undefined) return
    view.scrollTop = scrollTop
    // As for a fault: its step is shown. Inert meanwhile, so that the focus stays in the editor.
    view.inert = true
    form.dispatchEvent(new CustomEvent('footfall:invalid', { detail: { errors: { [edited]: [] } } }))
    view.inert = false
    const cell = cellOf(form, edited)
    if (!cell) return
    cell.style.outline = '2px solid var(--edited)'
    cell.style.outlineOffset = '6px'
    cell.style.borderRadius = '2px'
    bringInto(view, cell)
  }, [blueprint, edited])
  return <div ref={place} role="group" aria-label={label} className={styles.drawn} />
}
