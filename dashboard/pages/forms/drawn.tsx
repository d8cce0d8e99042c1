// A managed form drawn by the code that draws it on pages, in a shadow root: texts stay texts. Nothing is
// sent.
import { useEffect, useRef } from 'react'
import { type Blueprint, draw } from '../../../browser/managed.ts'
import styles from './forms.module.css'

export function Drawn({ blueprint, label }: { blueprint: Blueprint; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const host = document.createElement('div')
    const form = draw(host, blueprint)
    form.addEventListener('submit', (event) => event.preventDefault())
    place.current?.replaceChildren(host)
  }, [blueprint])
  return <div ref={place} role="group" aria-label={label} className={styles.drawn} />
}
