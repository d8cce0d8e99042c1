// A pause between questions that cost much however little they ask: what comes meanwhile goes into the next.
import { setTimeout as sleep } from 'node:timers/promises'

/** Undefined when the next may begin at once; else resolves so long after the last one began. */
type Pace = () => Promise<void> | undefined

export function openPace(ms: number): Pace {
  let lastMs = Number.NEGATIVE_INFINITY
  const begin = (): undefined => {
    lastMs = performance.now()
  }
  return () => {
    const leftMs = lastMs + ms - performance.now()
    return leftMs > 0 ? sleep(leftMs).then(begin) : begin()
  }
}
