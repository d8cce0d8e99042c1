// How long the connection has been lost, in words that follow the clock.
import { useEffect, useState } from 'react'
import { useLostTs } from '../connection.ts'
import { duration } from '../format.ts'
import { common as text } from '../texts/index.ts'

/** `Connection lost 40s ago. Reconnecting…`; undefined while there is one. */
export function useLostWords(): string | undefined {
  const lostTs = useLostTs()
  const [nowTs, setNow] = useState(Date.now)
  useEffect(() => {
    if (lostTs === undefined) return undefined
    const tick = (): void => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [lostTs])
  return lostTs === undefined ? undefined : text.connection.lost(duration(Math.max(0, nowTs - lostTs) / 1000))
}
