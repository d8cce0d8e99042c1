// What other folders know of the spam score: what it is computed of, and the computation.
export { describeWriting } from './writing.ts'
export { type Clues, scoreOf, type Writing } from './score.ts'
export type { Signals } from './signals.ts'
