// Turns what a page sent into answers by field: texts, or lists of texts. Nothing is stored here, and errors
// name no values.
import { invalid, Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import type { Answer, Answers, AnswerValue, Frozen } from '../forms/form-model.ts'
import { quoted } from '../forms/rule-messages.ts'

type Scalar = string | number | boolean | null

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/**
 * Well-formed and without NUL; line breaks are kept and nothing is truncated: findFaults refuses long
 * answers.
 */
const textOf = (value: Scalar): string => {
  const text = value === null ? '' : String(value)
  return cleanText(text, text.length)
}

/** @throws Problem('validation_failed') for a nested value. */
function readValue(name: string, value: unknown): AnswerValue {
  if (isScalar(value)) return textOf(value)
  if (Array.isArray(value) && value.every(isScalar)) return value.map(textOf)
  throw invalid(
    `data.${name}`,
    `The value of ${quoted(name)} must be a text, a number, true, false, null or a list of those.`,
  )
}

/**
 * @param data as sent, without the honeypot.
 * @throws Problem: form_discrepancy for a key that init did not declare; validation_failed for a nested
 * value.
 */
export function readAnswers(frozen: Frozen, data: Readonly<Record<string, unknown>>): Answers {
  const declared = new Set(frozen.fields.map(({ name }) => name))
  const sent = Object.entries(data)
  const stranger = sent.find(([name]) => !declared.has(name))
  if (stranger)
    throw new Problem(
      'form_discrepancy',
      `Data discrepancy: ${quoted(stranger[0])} is not a field of this form session.`,
    )
  // Without a prototype: a field may be called constructor.
  const answers = Object.create(null) as Record<string, AnswerValue>
  for (const [name, value] of sent) answers[name] = readValue(name, value)
  return answers
}

/** Every field in the order of the form; '' for those that were not sent. */
export const storedAnswers = ({ fields }: Frozen, answers: Answers): Answer[] =>
  fields.map(({ type, name, label }) => ({
    type,
    name,
    label,
    value: Object.hasOwn(answers, name) ? answers[name]! : '',
  }))
