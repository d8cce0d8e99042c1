// What other folders know of accounts: who somebody is, and what they may do.
export { attemptLink, judge } from './attempts.ts'
export { hashPassword, isPassword, type PasswordCost } from './passwords.ts'
export { findUserNames } from './records.ts'
export { roleOf, type SharedWith, type SignedIn } from './user-model.ts'
