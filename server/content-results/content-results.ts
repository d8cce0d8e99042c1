// What others may use of the results of content blocks: their statistics, for anything that is compared.
export { noFigures } from './facts.ts'
export { ENOUGH_GOALS, ENOUGH_SESSIONS, judge, type Reasons } from './results.ts'
