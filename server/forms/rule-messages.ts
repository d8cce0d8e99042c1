// What an answer that breaks a rule is told, in plain English; docs/api/forms.md has the same sentences. They
// name no values.
import { MAX_ANSWER, MAX_CHOICES } from './form-model.ts'

const SHOWN = 60

/** A name from outside, made safe for a sentence: short, well-formed, on one line. */
export const quoted = (text: string): string =>
  JSON.stringify((text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text).toWellFormed())

/** @param parameter as written in the brackets; for `matches` the label of the other field. */
export type Message = (label: string, parameter: string) => string

export const messages = {
  required: (label) => `${label} is required.`,
  email: (label) => `${label} must be an e-mail address.`,
  url: (label) => `${label} must be an address that begins with http:// or https://.`,
  numeric: (label) => `${label} must be a number.`,
  integer: (label) => `${label} must be a whole number.`,
  min: (label, least) => `${label} must be at least ${least}.`,
  max: (label, most) => `${label} must be at most ${most}.`,
  min_length: (label, least) => `${label} must have at least ${least} characters.`,
  max_length: (label, most) => `${label} may have at most ${most} characters.`,
  in: (label) => `${label} must be one of the given choices.`,
  regex: (label) => `${label} does not have the right form.`,
  matches: (label, other) => `${label} must be the same as ${other}.`,
  date: (label) => `${label} must be a date like 2026-01-31.`,
  phone: (label) => `${label} must be a phone number.`,
  accepted: (label) => `${label} must be accepted.`,
} satisfies Record<string, Message>

export type RuleName = keyof typeof messages

export const isRuleName = (text: string): text is RuleName => Object.hasOwn(messages, text)

/** For every field, whatever its rules. */
export const tooLong: Message = (label) => `${label} may have at most ${MAX_ANSWER} characters.`
export const tooMany: Message = (label) => `${label} may have at most ${MAX_CHOICES} values.`
/** For a field with a pattern: see patterns in rule-patterns.ts. */
export const tooLongForPattern: Message = (label) => `${label} is too long to be checked.`
