// What other folders know of the tracker: how a visitor, a page and a row of a view are read from a request.
export type { Refusals, RefusedCalls } from './refusals.ts'
export type { Visitor } from './visitors.ts'
export { openVisitorReader } from './client.ts'
export { hintsIn, pingRow, viewRow } from './rows.ts'
export { isFetchedAhead, pathOf, readPage } from './page.ts'
export { isMeasured, type MeasuredDeps } from './measured-facts.ts'
