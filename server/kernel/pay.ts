// Work that is paid for before it is done: what a caller may have computed has an end (http/work.ts).

/** Pays in milliseconds of the thread. @throws Problem('rate_limited') when the caller's share of the minute is used up. */
export type Pay = (costMs: number) => void

/** For work that nobody is held back for: that of owners, who are known. */
export const unpaid: Pay = () => undefined
