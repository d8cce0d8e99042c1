// Errors of the libraries themselves, told to the owner's service: the first one of a page and library, and no more.
import { post } from './send.ts'
import { versionOf, type Library } from './version.ts'

let isReported = false

/** Without a property's key there is nobody to tell. The service knows the libraries `signals` and `form`; content counts as signals. */
export function report(base: string, key: string | undefined, library: Library, error: unknown): void {
  const lib = library === 'form' ? library : 'signals'
  if (key && !isReported)
    void post(`${base}/v2/lib/error`, { property_id: key, error: `${versionOf(library)} ${String(error)}`, lib })
  isReported = true
}

/** Makes functions that never throw at the page: what goes wrong in them is reported. */
export function guard(base: string, key: string | undefined, library: Library) {
  return <T extends unknown[]>(act: (...given: T) => unknown) =>
    (...given: T): void => {
      try {
        act(...given)
      } catch (error) {
        report(base, key, library, error)
      }
    }
}
