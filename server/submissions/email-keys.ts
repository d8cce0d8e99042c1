// Which e-mail addresses were written into a submission: by these it is found when the person is erased,
// whatever the fields are called.
import { readEmail } from '../kernel/email.ts'
import type { Answer } from '../forms/form-model.ts'

/**
 * Of every answer that as a whole is an address, also one of several; an address within a text is none. Each
 * once: the body of a call is all that bounds how many there are.
 */
export function emailKeysOf(answers: readonly Pick<Answer, 'value'>[]): string[] {
  const texts = answers.flatMap(({ value }) => value)
  const keys = texts.map((text) => readEmail(text)?.key).filter((key) => key !== undefined)
  return [...new Set(keys)]
}
