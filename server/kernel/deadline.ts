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
