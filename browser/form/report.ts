// Reports errors of the library to the owner's service: the first one of a page, and no more.
import { post } from './post.ts'

let isReported = false

/** Without a property's key there is no receiver. */
export function report(base: string, key: string | undefined, error: unknown): void {
  if (key && !isReported)
    void post(`${base}/v2/lib/error`, {
      property_id: key,
      error: `form/${LIBRARY_VERSION} ${error as string}`,
      lib: 'form',
    })
  isReported = true
}

/** Wraps functions so that they never throw at the page; errors are reported. */
export function guard(base: string, key: string | undefined) {
  return <T extends unknown[]>(act: (...given: T) => unknown) =>
    (...given: T): void => {
      try {
        act(...given)
      } catch (error) {
        report(base, key, error)
      }
    }
}
