// A shared view that stays open, as on a screen on the wall, gets a new bearer long before the old one ends.
import { useEffect, useRef } from 'react'
import { renewBearer } from '../api/session.ts'
import { renewShare, type Share } from '../share.ts'

/** Half of the time for which a bearer is good. */
const EARLY_MS = 6 * 3_600_000
/** Whatever the clock of this machine says: it need not be right. */
const EVERY_MS = 3_600_000

const isDue = ({ expires_ts }: Share): boolean => expires_ts * 1000 - Date.now() < EARLY_MS

async function renew(share: Share): Promise<void> {
  try {
    renewShare(share, await renewBearer(share))
  } catch {
    // The next hour tries again; a share that is over has ended by the answer itself.
  }
}

export function useRenewal(share: Share): void {
  const current = useRef(share)
  useEffect(() => {
    current.current = share
  })
  useEffect(() => {
    if (isDue(current.current)) void renew(current.current)
    const timer = setInterval(() => void renew(current.current), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
}
