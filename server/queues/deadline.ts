// Work that somebody waits for, but not for ever.

/**
 * What the work comes to, or undefined when it fails or takes longer than `ms`; it is not ended by that. Neither makes anything throw.
 * @param failed is told why, when it fails, also later.
 */
export function settledWithin<T>(
  work: Promise<T>,
  ms: number,
  failed: (error: unknown) => void = () => {},
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined)
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        failed(error)
        resolve(undefined)
      },
    )
  })
}

/** As settledWithin, with the time that is left. */
export type Wait = <T>(work: Promise<T>, failed?: (error: unknown) => void) => Promise<T | undefined>

/**
 * For several works, one after another, that somebody waits for: all waits together take `ms` at most. What is begun once that is used up
 * goes on without being waited for, but for the moment that what is known at once needs.
 * @param now a clock that only goes on, in milliseconds.
 */
export function openAllowance(ms: number, now: () => number = () => performance.now()): Wait {
  let leftMs = ms
  return async (work, failed) => {
    const beganMs = now()
    const value = await settledWithin(work, Math.max(0, leftMs), failed)
    leftMs -= now() - beganMs
    return value
  }
}
