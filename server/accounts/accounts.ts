// What other folders know of accounts: who somebody is, and what they may do.
export { findUserNames } from './records.ts'
export { roleOf, type SharedWith, type SignedIn } from './user-model.ts'
