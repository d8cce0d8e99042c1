// What other folders know of the ways of content to visitors: choices, impressions and their figures.
export { readSessionImpressions } from './session-facts.ts'
export { bucketOf, chooseVersion } from './choice.ts'
export { impressionRow, type Interaction } from './impressions.ts'
