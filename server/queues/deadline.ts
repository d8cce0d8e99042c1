// Waits with an end.

/**
 * The result of the work, or undefined when it fails or takes longer than `ms`; the work itself continues.
 * Never throws.
 * @param failed is called with the error when it fails, also later.
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

/** Like settledWithin, with the time that is left. */
export type Wait = <T>(work: Promise<T>, failed?: (error: unknown) => void) => Promise<T | undefined>

/**
 * For several works: all waits together take `ms` at most; those of one moment count once. Work that starts
 * after that is awaited only for the moment that an immediate result needs.
 * @param now a monotonic clock, in milliseconds.
 */
export function openAllowance(ms: number, now: () => number = () => performance.now()): Wait {
  let leftMs = ms
  let waits = 0
  let countedMs = now()
  const count = (): void => {
    const atMs = now()
    if (waits > 0) leftMs -= atMs - countedMs
    countedMs = atMs
  }
  return async (work, failed) => {
    count()
    waits++
    const value = await settledWithin(work, Math.max(0, leftMs), failed)
    count()
    waits--
    return value
  }
}
