// What other folders know of filling in forms: the steps as facts, who sends, and the figures.
export { readSessionSteps, type SessionStep } from './session-facts.ts'
export { formEventRow } from './facts.ts'
export { readSender, type Sender } from './sender.ts'
