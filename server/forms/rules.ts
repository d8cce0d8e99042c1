// The rules of a form: read from a page at init or from the owner's definition, frozen, and checked. Init and
// save, open and managed forms, validate and process use the same code.
import { type Pay, unpaid } from '../kernel/pay.ts'
import { invalid } from '../kernel/problem.ts'
import {
  type Answers,
  type AnswerValue,
  type Form,
  type FormField,
  type Frozen,
  type FrozenField,
  MAX_ANSWER,
  MAX_CHOICES,
  MAX_FIELD_NAME,
  MAX_FIELDS,
  MAX_MESSAGE,
  MAX_PARAMETER,
  MAX_RULES,
  MAX_TYPE,
  refusedTypes,
  type Rules,
  type Validation,
} from './form-model.ts'
import type { VisitorTexts } from '../visitor-texts/visitor-texts.ts'
import { english, quoted, sizeMessages } from './rule-messages.ts'
import { openPatternCheck, openPatternReader, type PatternCheck, type PatternReader } from './rule-patterns.ts'
import { filledOf, isFilled, keepsRule, parseRule, readRule, writtenChoices } from './rule-table.ts'

type Entries = readonly (readonly [string, unknown])[]

/** Without a prototype: a field or a rule may be called constructor. */
const emptyRecord = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>

/** The entries of an object; null, undefined and an empty list (PHP writes an empty object so) have none. */
function entriesOf(path: string, value: unknown): Entries {
  if (value === undefined || value === null) return []
  if (typeof value === 'object' && (!Array.isArray(value) || value.length === 0)) return Object.entries(value)
  throw invalid(path, `${path} must be an object.`)
}

// ---------------------------------------------------------------- fields

/** @throws Problem('validation_failed') */
export function checkFieldName(path: string, name: string): void {
  if (!isFilled(name)) throw invalid(path, `${path}: a field has no name.`)
  if ([...name].length > MAX_FIELD_NAME)
    throw invalid(path, `${path}: the name of a field may have at most ${MAX_FIELD_NAME} characters.`)
  if (name === '__proto__' || name.includes('\0') || !name.isWellFormed())
    throw invalid(path, `${path}: the field cannot be named like that.`)
}

const isRefusedType = (type: string): boolean => refusedTypes.some((refused) => refused === type.toLowerCase())

function readType(path: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(path, `${path}: the input type of a field must be a text.`)
  const type = value.trim()
  // A page cannot allow files by itself: strangers could then send them to any form.
  if (isRefusedType(type) || type.toLowerCase() === 'file')
    throw invalid(path, `${path}: a field of the type ${type.toLowerCase()} cannot be collected.`)
  if ([...type].length > MAX_TYPE || type.includes('\0') || !type.isWellFormed())
    throw invalid(path, `${path}: the input type of a field may have at most ${MAX_TYPE} characters.`)
  return type || 'text'
}

function readFields(value: unknown): FrozenField[] {
  const entries = entriesOf('fields', value)
  if (entries.length === 0) throw invalid('fields', 'fields must name at least one field and its input type.')
  if (entries.length > MAX_FIELDS) throw invalid('fields', `fields may name at most ${MAX_FIELDS} fields.`)
  return entries.map(([name, type]) => {
    const path = `fields.${shownName(name)}`
    checkFieldName(path, name)
    return { name, type: readType(path, type), label: name }
  })
}

/** A name within the path of an error; an anonymous caller may have chosen it. */
const shownName = (name: string): string => quoted(name).slice(1, -1)

// ---------------------------------------------------------------- rules

function readMessage(path: string, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') throw invalid(path, `${path}: the message must be a text or null.`)
  if ([...value].length > MAX_MESSAGE)
    throw invalid(path, `${path}: the message may have at most ${MAX_MESSAGE} characters.`)
  const message = value.replaceAll('\0', '').toWellFormed()
  return isFilled(message) ? message : null
}

interface RulesInput {
  readonly fieldNames: ReadonlySet<string>
  readonly patterns: PatternReader
}

function readRules(path: string, value: unknown, ask: RulesInput): Rules {
  const entries = entriesOf(path, value)
  if (entries.length > MAX_RULES) throw invalid(path, `${path} may have at most ${MAX_RULES} rules.`)
  const rules = emptyRecord<string | null>()
  for (const [written, message] of entries) {
    const text = written.trim()
    const rulePath = `${path}.${shownName(text)}`
    if (text.length > MAX_PARAMETER || text.includes('\0') || !text.isWellFormed())
      throw invalid(rulePath, `${rulePath}: a rule may have at most ${MAX_PARAMETER} characters.`)
    readRule(text, { path: rulePath, ...ask })
    rules[text] = readMessage(rulePath, message)
  }
  return rules
}

/**
 * {field: {rule: message or null}}, of an open form at init and of a managed one when it is saved.
 * @param pay for compiling the patterns; cached ones cost nothing.
 * @throws Problem('validation_failed') naming the field and the rule.
 */
export function readValidation(value: unknown, fieldNames: ReadonlySet<string>, pay: Pay = unpaid): Validation {
  const patterns = openPatternReader(pay)
  const validation = emptyRecord<Rules>()
  for (const [name, rules] of entriesOf('validation', value)) {
    const path = `validation.${shownName(name)}`
    if (!fieldNames.has(name)) throw invalid(path, `${path}: there is no such field.`)
    validation[name] = readRules(path, rules, { fieldNames, patterns })
  }
  return validation
}

// ---------------------------------------------------------------- frozen

/**
 * What the page of an open form sends at init. @throws Problem('validation_failed') naming the field and the
 * rule.
 */
export function readFrozen(fields: unknown, validation: unknown, pay: Pay = unpaid): Frozen {
  const read = readFields(fields)
  return { fields: read, validation: readValidation(validation, new Set(read.map(({ name }) => name)), pay) }
}

const impliedFormats: Readonly<Partial<Record<FormField['type'], string>>> = {
  email: 'email',
  url: 'url',
  number: 'numeric',
  range: 'numeric',
  date: 'date',
  tel: 'phone',
}
const formats: ReadonlySet<string> = new Set(['email', 'url', 'numeric', 'integer', 'date', 'phone'])

/** The rules of a field of a managed form: those that its type and options imply, then the owner's. */
export function rulesOf({ name, type, options }: FormField, validation: Validation): Rules {
  const given = Object.hasOwn(validation, name) ? validation[name]! : {}
  const names = Object.keys(given).map((text) => parseRule(text)?.name)
  const format = impliedFormats[type]
  const implied: Record<string, null> = {}
  if (format !== undefined && !names.some((rule) => rule !== undefined && formats.has(rule))) implied[format] = null
  if (options.length > 0 && !names.includes('in'))
    implied[`in[${writtenChoices(options.map(({ value }) => value))}]`] = null
  return { ...implied, ...given }
}

/** The rules of a managed form, by its owner's definition. */
export function frozenOf({ fields, validation }: Pick<Form, 'fields' | 'validation'>): Frozen {
  const rules = emptyRecord<Rules>()
  for (const field of fields) rules[field.name] = rulesOf(field, validation)
  const frozen = fields.map(({ name, type, label, file }) => ({ name, type, label, ...(file && { file }) }))
  return { fields: frozen, validation: rules }
}

// ---------------------------------------------------------------- faults

/**
 * Limits that hold regardless of rules; checked first, so that nothing works on values that are too large.
 */
function sizeFault(label: string, value: AnswerValue, said: VisitorTexts): string | undefined {
  const texts = [value].flat()
  if (texts.length > MAX_CHOICES) return sizeMessages(said).tooMany(label)
  return texts.some((text) => text.length > MAX_ANSWER && [...text].length > MAX_ANSWER)
    ? sizeMessages(said).tooLong(label)
    : undefined
}

interface FaultsInput {
  readonly answers: Answers
  readonly labels: ReadonlyMap<string, string>
  readonly patterns: PatternCheck
  readonly said: VisitorTexts
}

function faultsOf(field: FrozenField, rules: Rules, { answers, labels, patterns, said }: FaultsInput): string[] {
  const value = answers[field.name] ?? ''
  const sizes = sizeFault(field.label, value, said)
  if (sizes !== undefined) return [sizes]
  const texts = filledOf(value)
  return Object.entries(rules).flatMap(([written, message]) => {
    const rule = parseRule(written)
    if (!rule) return []
    const { name, parameter } = rule
    const kept = keepsRule(rule, texts, { value, parameter, answers, patterns })
    if (kept === true) return []
    if (kept === undefined) return sizeMessages(said).tooLongForPattern(field.label)
    return (
      message ?? said.faults[name](field.label, name === 'matches' ? (labels.get(parameter) ?? parameter) : parameter)
    )
  })
}

/**
 * Sentences by field name, for every field of the form session; null when the answers satisfy all rules. No
 * sentence contains a value.
 * @param said in which language; the owner's own messages stay as they are.
 */
export function findFaults(
  { fields, validation }: Frozen,
  answers: Answers,
  pay: Pay = unpaid,
  said: VisitorTexts = english,
): Record<string, string[]> | null {
  const labels = new Map(fields.map(({ name, label }) => [name, label]))
  const ask = {
    answers: Object.assign(emptyRecord<AnswerValue>(), answers),
    labels,
    patterns: openPatternCheck(pay),
    said,
  }
  const errors = emptyRecord<string[]>()
  for (const field of fields) {
    const rules = Object.hasOwn(validation, field.name) ? validation[field.name]! : {}
    const faults = faultsOf(field, rules, ask)
    if (faults.length > 0) errors[field.name] = faults
  }
  return Object.keys(errors).length > 0 ? errors : null
}
