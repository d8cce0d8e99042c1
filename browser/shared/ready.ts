// Whether there is anybody to see the page.

/** False for tabs in the background and for pages that are rendered ahead. */
export const isShown = (): boolean => document.visibilityState === 'visible'
