// To whom a submission can be answered, and how the email begins.
import type { Submission } from '../../api/forms.ts'

type Answered = Pick<Submission, 'raw_fields'>

const address = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

const textOf = (value: string | readonly string[]): string => [value].flat().join('').trim()

/** The first answer to a field for email; without such a field, the first that is an email address. */
export function replyTo({ raw_fields: fields }: Answered): string | undefined {
  const given = fields.filter(({ value }) => address.test(textOf(value)))
  const asked = given.find(({ type, name }) => type === 'email' || /mail/i.test(name))
  const found = asked ?? given[0]
  return found && textOf(found.value)
}

/** Opens the reader's own mail program. */
export const mailtoOf = (to: string, subject: string): string =>
  `mailto:${encodeURIComponent(to).replaceAll('%40', '@')}?subject=${encodeURIComponent(subject)}`
