// The numbers of content.js. In a file of their own, because the build then writes them where they are used.

/** Milliseconds after which an answer comes too late, since the visitor reads what stands there. */
export const LATE_MS = 2000
/** Half of it in view for a second is what advertisers call viewable (Media Rating Council). With less, what is scrolled over counts as read. */
export const SEEN_MS = 1000
/** Called as often as this: a script that blocks the page or a machine that sleeps is no look. */
export const LOOK_MS = 500
export const LONGEST_LOOK_MS = 3000
/** Parts of a block whose coming and going is noticed: half a window of a very long one is few of them. */
export const STEPS = 100
