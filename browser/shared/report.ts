// Errors of a library itself, told to the owner's service: the first one of a page, and no more.
import { ask } from './send.ts'
import { version, type Library } from './version.ts'

let isReported = false

/** Without a property's key there is nobody to tell. */
export function report(base: string, key: string | undefined, lib: Library, error: unknown): void {
  if (key && !isReported)
    void ask(`${base}/v2/lib/error`, {}, { property_id: key, error: `${lib}/${version} ${String(error)}`, lib })
  isReported = true
}

/** Makes functions that never throw at the page: what goes wrong in them is reported. */
export function guard(base: string, key: string | undefined, lib: Library) {
  return <T extends unknown[]>(act: (...given: T) => unknown) =>
    (...given: T): void => {
      try {
        act(...given)
      } catch (error) {
        report(base, key, lib, error)
      }
    }
}
