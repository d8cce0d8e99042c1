// For what is only worth a word once it has lasted a while.
import { useEffect, useState } from 'react'

/** True as soon as `isOn` has been true for so long without a break. */
export function useLasting(isOn: boolean, ms: number): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setLasted(true), ms)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [isOn, ms])
  return isOn && hasLasted
}
