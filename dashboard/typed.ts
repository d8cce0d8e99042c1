// What is typed into a search: shown at once, and applied a moment after the last key.
import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 250

/** @param value as the URL has it: when that changes by itself, as by Back, it is shown. */
export function useTyped(value: string, tell: (typed: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const change = (next: string): void => {
    setTyped(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => tell(next), PAUSE_MS)
  }
  return [typed, change]
}

/** The text as it was when typing last paused: for requests while somebody types. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
