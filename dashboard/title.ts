// The title of the document, and the focus after a change of page: on its heading, as if it had been loaded.
import { useEffect } from 'react'
import { common as text } from './texts/index.ts'

/** Once a page, with its name. */
export function useTitle(page: string, property?: string): void {
  useEffect(() => {
    document.title = text.title(page, property)
  }, [page, property])
}
