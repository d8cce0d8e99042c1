// Texts with answers in them: `%name%` stands for the answer to the field of that name. What strangers write
// comes out as one line of plain words, so that nobody can send advertising to others through a form.
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'

/** As field names are written; "100 % of it" is no field. */
const placeholder = /%([\w.[\]-]+)%/g
/** Of an answer: names and topics, not letters. */
const MAX_ANSWER = 100

/** @throws Problem('validation_failed') when a text names what is not known. */
export function assertKnown(path: string, text: string, known: readonly string[]): void {
  const stranger = [...text.matchAll(placeholder)].find(([, name = '']) => !known.includes(name))
  if (!stranger) return
  const list = known.length === 0 ? 'none' : known.map((name) => `%${name}%`).join(', ')
  throw invalid(path, `${path}: ${stranger[0]} is no field of the form. Fields: ${list}.`)
}

/** What mail programs make a link of. */
const hasAddress = (text: string): boolean => /:\/\/|[\p{L}\p{N}]\.[\p{L}]{2,}|@/u.test(text)

/** One line; nothing of what could lead anywhere. @param own what may be inserted all the same. */
export function plainAnswer(written: string, own: string): string {
  const line = cleanText(written.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), MAX_ANSWER)
  return line !== own && hasAddress(line) ? '' : line
}

/** Fields without an answer leave nothing behind. */
export const filled = (text: string, answers: ReadonlyMap<string, string>): string =>
  text.replaceAll(placeholder, (_whole, name: string) => answers.get(name) ?? '')
