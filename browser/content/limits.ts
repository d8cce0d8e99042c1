// The numbers of content.js. In a file of their own, so that the build inlines them.

/** Milliseconds after which an answer comes too late: the visitor is reading the original content. */
export const LATE_MS = 2000
/**
 * The Media Rating Council's definition of viewable: half of it visible for a second. With less, content that
 * is scrolled past would count as seen.
 */
export const SEEN_MS = 1000
/**
 * The polling interval: longer gaps, when a script blocks the page or the machine sleeps, do not count as
 * viewing.
 */
export const LOOK_MS = 500
export const LONGEST_LOOK_MS = 3000
/** Thresholds of the visible share: half a window of a very long block is a small share. */
export const STEPS = 100
