// What other folders know of diagnostics: how often the browser libraries failed.
export { countErrorsSince } from './lib-errors-facts.ts'
