// Filters above a list: a search, shown as it is typed and applied after a pause, and selects beside it.
import { type ReactNode, useRef } from 'react'
import { useKeys } from '../keys.ts'
import { common as text } from '../texts/index.ts'
import { useTyped } from '../typed.ts'
import styles from './asking.module.css'
import { SearchField } from './fields.tsx'

/** In a row; on a phone the search first, and the choices in pairs under it. */
export const Asking = ({ children }: { children: ReactNode }) => <div className={styles.asking}>{children}</div>

export interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly maxLength?: number | undefined
  readonly className?: string | undefined
}

/** Reached by `/`. */
export function SearchBox({ value, onChange, maxLength = 255, ...rest }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(value, onChange)
  useKeys([{ key: '/', label: text.keys.search, group: text.keys.general, run: () => field.current?.focus() }])
  return <SearchField ref={field} value={typed} onChange={setTyped} maxLength={maxLength} {...rest} />
}
