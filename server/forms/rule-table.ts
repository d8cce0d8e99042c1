// The rules of fields: how each is written, and which answers satisfy it. Shared by open and managed forms,
// and by init, save, validate and process.
import { readEmail } from '../kernel/email.ts'
import { invalid } from '../kernel/problem.ts'
import type { Answers, AnswerValue } from './form-model.ts'
import { isRuleName, type RuleName } from './rule-messages.ts'
import type { PatternCheck, PatternReader } from './rule-patterns.ts'

export interface Rule {
  readonly name: RuleName
  /** As written in the brackets; '' without them. */
  readonly parameter: string
}

/** `name` or `name[parameter]`; the parameter extends to the last bracket and may contain others. */
const ruleShape = /^([a-z_]+)(?:\[(.*)\])?$/s

/** Undefined for what is no rule. */
export function parseRule(text: string): Rule | undefined {
  const [, name = '', parameter = ''] = ruleShape.exec(text) ?? []
  return isRuleName(name) ? { name, parameter } : undefined
}

// ---------------------------------------------------------------- parameters

/** `a,b,c`: blanks around commas are ignored; `\,` is a comma within a value. */
export const choicesOf = (parameter: string): string[] =>
  [...parameter.matchAll(/(?:\\[\\,]|[^,])+/gsu)].map(([text]) => text.replaceAll(/\\([\\,])/g, '$1').trim())

/** The inverse. */
export const writtenChoices = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[\\,]/g, String.raw`\$&`)).join(',')

const isNumber = (text: string): boolean =>
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text))

interface ParameterInput {
  readonly path: string
  readonly parameter: string
  readonly fieldNames: ReadonlySet<string>
  readonly patterns: PatternReader
}

type ReadParameter = (ask: ParameterInput) => void

const anyNumber: ReadParameter = ({ path, parameter }) => {
  if (!isNumber(parameter)) throw invalid(path, `${path}: the parameter must be a number, as in min[3].`)
}

const count: ReadParameter = ({ path, parameter }) => {
  if (!/^\d{1,6}$/.test(parameter))
    throw invalid(path, `${path}: the parameter must be a whole number from 0 to 999999, as in min_length[3].`)
}

const choices: ReadParameter = ({ path, parameter }) => {
  if (!choicesOf(parameter).some(isFilled))
    throw invalid(path, `${path}: the parameter must be a list of values, as in in[small,large].`)
}

const otherField: ReadParameter = ({ path, parameter, fieldNames }) => {
  if (!fieldNames.has(parameter))
    throw invalid(path, `${path}: the parameter must be a field of this form, as in matches[email].`)
}

const pattern: ReadParameter = ({ path, parameter, patterns }) => {
  if (parameter === '') throw invalid(path, `${path}: the parameter must be a pattern, as in regex[^[A-Z]{2}$].`)
  patterns.read(path, parameter)
}

const parameters: Readonly<Partial<Record<RuleName, ReadParameter>>> = {
  min: anyNumber,
  max: anyNumber,
  min_length: count,
  max_length: count,
  in: choices,
  regex: pattern,
  matches: otherField,
}

/**
 * Parses a rule. @throws Problem('validation_failed') naming `ask.path` for an unknown rule or a wrong
 * parameter.
 */
export function readRule(text: string, ask: Omit<ParameterInput, 'parameter'>): Rule {
  const { path } = ask
  const rule = parseRule(text)
  if (!rule) throw invalid(path, `${path}: there is no such validation rule.`)
  const read = parameters[rule.name]
  if (!read && text !== rule.name) throw invalid(path, `${path}: ${rule.name} takes no parameter.`)
  if (read && text === rule.name) throw invalid(path, `${path}: ${rule.name} needs a parameter, as in ${rule.name}[…].`)
  read?.({ ...ask, parameter: rule.parameter })
  return rule
}

// ---------------------------------------------------------------- answers

/** An answer of blanks alone counts as empty. */
export const isFilled = (text: string): boolean => text.trim() !== ''

/** The non-empty values of an answer. */
export const filledOf = (value: AnswerValue | undefined): string[] => [value ?? []].flat().filter(isFilled)

const lengthOf = (text: string): number => [...text].length

function isUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return false
  return new URL(text).hostname !== ''
}

/** A day of the calendar: 2026-02-29 is invalid. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const timeMs = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text)
}

/** As people write them, in digits of any script; separators are ignored. */
function isPhone(text: string): boolean {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0
  return /^\+?[\p{Nd}\p{Zs}\p{Pd}./()[\]]+$/u.test(text) && digits >= 5 && digits <= 20
}

const same = (one: AnswerValue, other: AnswerValue): boolean => {
  const texts = [one].flat()
  const others = [other].flat()
  return texts.length === others.length && texts.every((text, index) => text === others[index])
}

export interface Check {
  /** The pattern must match the whole answer. */
  readonly value: AnswerValue
  readonly parameter: string
  /** Without a prototype. */
  readonly answers: Answers
  readonly patterns: PatternCheck
}

/** Given the non-empty values of an answer, at least one. Undefined: finding out would take too long. */
type Keeps = (texts: readonly string[], check: Check) => boolean | undefined

/** Applied to each value, trimmed. */
const each =
  (keeps: (text: string, parameter: string) => boolean): Keeps =>
  (texts, { parameter }) =>
    texts.every((text) => keeps(text.trim(), parameter))

function keepsPattern(texts: readonly string[], { parameter, patterns }: Check): boolean | undefined {
  for (const text of texts) {
    const found = patterns.test(parameter, text)
    if (found !== true) return found
  }
  return true
}

function isAmongChoices(texts: readonly string[], { parameter }: Check): boolean {
  const known = new Set(choicesOf(parameter))
  return texts.every((text) => known.has(text.trim()))
}

const keeps: Readonly<Record<RuleName, Keeps>> = {
  required: () => true,
  email: each((text) => readEmail(text) !== undefined),
  url: each(isUrl),
  numeric: each(isNumber),
  integer: each((text) => /^[+-]?\d+$/.test(text)),
  min: each((text, least) => isNumber(text) && Number(text) >= Number(least)),
  max: each((text, most) => isNumber(text) && Number(text) <= Number(most)),
  min_length: (texts, { parameter }) => texts.every((text) => lengthOf(text) >= Number(parameter)),
  max_length: (texts, { parameter }) => texts.every((text) => lengthOf(text) <= Number(parameter)),
  in: isAmongChoices,
  regex: keepsPattern,
  matches: (_texts, { value, parameter, answers }) => same(value, answers[parameter] ?? ''),
  date: each(isDate),
  phone: each(isPhone),
  accepted: each((text) => ['on', 'yes', 'true', '1'].includes(text.toLowerCase())),
}

/**
 * Whether the answer satisfies the rule; undefined when finding out would take too long. An empty one only
 * breaks `required` and `accepted`.
 */
export function keepsRule({ name }: Rule, texts: readonly string[], check: Check): boolean | undefined {
  return texts.length === 0 ? name !== 'required' && name !== 'accepted' : keeps[name](texts, check)
}
