// When a page is there to be looked at.

/** Calls `begin` once the document is parsed: at once when it already is. */
export function ready(begin: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
  else begin()
}

/** Somebody may see the page: false for tabs in the background and for pages that are rendered ahead. */
export const isShown = (): boolean => document.visibilityState === 'visible'

/** Calls `begin` once the page is shown: at once when it already is. */
export function whenShown(begin: () => void): void {
  if (isShown()) return begin()
  const check = (): void => {
    if (!isShown()) return
    document.removeEventListener('visibilitychange', check)
    begin()
  }
  document.addEventListener('visibilitychange', check)
}
