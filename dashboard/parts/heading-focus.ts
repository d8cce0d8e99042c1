// After a change of page the focus moves to its heading, as if the page had been loaded. It waits for the
// heading.
import { type RefObject, useEffect, useLayoutEffect } from 'react'

let place: HTMLElement | undefined

/** The reader has gone to another page, which is shown inside of `main`. */
export function focusHeading(main: HTMLElement): void {
  const heading = main.querySelector<HTMLElement>('h1')
  place = heading ? undefined : main
  const target = heading ?? main
  target.focus({ preventScroll: true })
}

/**
 * On the h1 of a page: takes the focus that waits for it, unless the reader has moved on. The heading of a
 * skeleton leaves it to the one that replaces it.
 */
export function useHeadingFocus(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const waiting = place
    if (!waiting || !heading.current || !waiting.contains(heading.current)) return
    place = undefined
    if (document.activeElement === waiting || document.activeElement === document.body)
      heading.current.focus({ preventScroll: true })
  }, [heading])
  // While it is still in the page: an effect's own end would come after the next paint.
  useLayoutEffect(() => {
    const { current: shown } = heading
    return () => {
      if (shown && document.activeElement === shown) place = shown.closest('main') ?? undefined
    }
  }, [heading])
}
