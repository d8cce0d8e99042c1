// A stopwatch within the page: what a library says of time is held against what happened there, however slow
// the machine is on which it is tested.
import type { Page } from 'playwright-core'

/**
 * Begins with `event`, and when the page comes out of the back-forward cache; ends when it is left. In
 * between, the page may be told `begin()` and `end()`. The times are kept for the next page of the origin.
 */
export const stopwatch = (event: string): string => `<script>
  let begun
  const begin = () => { begun = performance.now() }
  const end = () => {
    sessionStorage.watched = JSON.stringify([...JSON.parse(sessionStorage.watched || '[]'), performance.now() - begun])
  }
  addEventListener('${event}', begin)
  addEventListener('pageshow', ({ persisted }) => persisted && begin())
  addEventListener('pagehide', end)
</script>`

/** Seconds, one figure for each time the stopwatch was stopped. To be asked on a page of the same origin. */
export async function watched(page: Page): Promise<number[]> {
  const times = await page.evaluate<number[]>('JSON.parse(sessionStorage.watched)')
  return times.map((ms) => ms / 1000)
}

/**
 * As close to the stopwatch as rounding to seconds and a page that is looked at four times a second can be.
 */
export const isNear = (stored: number | undefined, seconds: number | undefined): boolean =>
  Math.abs((stored ?? -Infinity) - (seconds ?? 0)) <= 1
