// What is typed, once it rests: so that not every letter is asked for.
import { useEffect, useState } from 'react'

const TYPING_MS = 200

/** The search is sent when typing pauses. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
