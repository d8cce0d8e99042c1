// What must stay free on the disk of the embedded stores.

/**
 * With less room on the disk nothing is written and nothing merged. A merge that finds the disk full in its
 * middle is committed with empty files (version 26.7), and what it merged is lost: it must not begin where
 * the room may go meanwhile.
 */
export const KEPT_FREE_BYTES = 256 * 1024 * 1024
