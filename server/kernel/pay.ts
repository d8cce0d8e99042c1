// Work that is charged before it is done: the computing time of a caller is limited (http/work.ts).

/**
 * Charges milliseconds of the thread. @throws Problem('rate_limited') when the caller's share of the minute
 * is used up.
 */
export type Pay = (costMs: number) => void

/** For work without a limit: that of owners, who are known. */
export const unpaid: Pay = () => undefined
