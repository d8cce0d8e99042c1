// What an answer that breaks a rule is told. The sentences themselves are in visitor-texts/, in every
// language; docs/api/forms.md has the English ones. They name no values.
import { type FaultText, type VisitorTexts, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import { MAX_ANSWER, MAX_CHOICES } from './form-model.ts'

const SHOWN = 60

/** A name from outside, made safe for a sentence: short, well-formed, on one line. */
export const quoted = (text: string): string =>
  JSON.stringify((text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text).toWellFormed())

/** In English: what the API answers unless its form or its caller asks for another language. */
export const english: VisitorTexts = visitorTexts('en')

export const messages = english.faults

export type RuleName = keyof typeof messages

export const isRuleName = (text: string): text is RuleName => Object.hasOwn(messages, text)

interface SizeMessages {
  readonly tooLong: (label: string) => string
  readonly tooMany: (label: string) => string
  /** For a field with a pattern: see patterns in rule-patterns.ts. */
  readonly tooLongForPattern: (label: string) => string
}

/** For every field, whatever its rules. */
export function sizeMessages({ limits }: Pick<VisitorTexts, 'limits'>): SizeMessages {
  const said = (text: FaultText, most: number) => (label: string) => text(label, String(most))
  return {
    tooLong: said(limits.tooLong, MAX_ANSWER),
    tooMany: said(limits.tooMany, MAX_CHOICES),
    tooLongForPattern: said(limits.tooLongForPattern, MAX_ANSWER),
  }
}
