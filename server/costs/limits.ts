// How many costs there may be.

/** Rows of an import: a year of thirty campaigns; one transaction of a fraction of a second. */
export const MAX_ROWS = 10_000
/** Rows of a property: what a question about the longest window reads in a fraction of a second. */
export const MAX_COSTS = 100_000
