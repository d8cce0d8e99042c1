// Long work in slices: the process has one thread, and whoever else needs it must not wait for the end of an
// import.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** With what a single step may last, well below ten milliseconds: nobody notices them. */
const SLICE_MS = 5

/**
 * To be awaited after each small step. Nearly always done at once; when the slice is over, everybody else
 * comes to their turn first.
 * @param clock milliseconds that only go forward.
 */
export function openSlices(clock: () => number = () => performance.now()): () => Promise<void> | void {
  let endMs = clock() + SLICE_MS
  return () => {
    if (clock() < endMs) return undefined
    return nextTurn().then(() => {
      endMs = clock() + SLICE_MS
    })
  }
}
