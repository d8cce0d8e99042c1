// A shared view that stays open, as on a screen on the wall, gets a new bearer long before the old one ends.
import { useEffect } from 'react'
import { renewBearer } from '../api/session.ts'
import { renewShare, type Share } from '../share.ts'

/** Half of the time for which a bearer is good. */
const EARLY_MS = 6 * 3_600_000
const LOOK_MS = 300_000

const isDue = ({ expires_ts }: Share): boolean => expires_ts * 1000 - Date.now() < EARLY_MS

export function useRenewal(share: Share): void {
  useEffect(() => {
    const look = (): void => {
      // What failed is tried again at the next look; a share that is over ends by the answer itself.
      if (isDue(share)) renewBearer(share).then((renewed) => renewShare(share, renewed), ignore)
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [share])
}

function ignore(): void {}
