// Errors of the libraries themselves, told to the owner's service: the first one of a page and library, and no more.
import { ask } from './send.ts'
import { version, type Library } from './version.ts'

let isReported = false

/** What the service knows to take errors of. */
type Reported = 'signals' | 'form'

/** Without a property's key there is nobody to tell. @param lib under which the service keeps it, when it does not know the library itself */
export function report(
  base: string,
  key: string | undefined,
  library: Library,
  error: unknown,
  lib: Reported = library as Reported,
): void {
  if (key && !isReported)
    void ask(`${base}/v2/lib/error`, {}, { property_id: key, error: `${library}/${version} ${String(error)}`, lib })
  isReported = true
}

/** Makes functions that never throw at the page: what goes wrong in them is reported. */
export function guard(base: string, key: string | undefined, library: Library, lib?: Reported) {
  return <T extends unknown[]>(act: (...given: T) => unknown) =>
    (...given: T): void => {
      try {
        act(...given)
      } catch (error) {
        report(base, key, library, error, lib)
      }
    }
}
