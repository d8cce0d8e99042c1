// The texts of a contact as the pages show them: their order, and how each is written in the editor.
import type { ContactText } from '../../api/contacts.ts'

interface Look {
  /** In the editor it stands in the row of the one before. */
  readonly isBeside?: true
  readonly input?: { readonly type: 'email' | 'tel' } | { readonly inputMode: 'url' }
}

const looks: Readonly<Record<ContactText, Look>> = {
  first_name: {},
  last_name: { isBeside: true },
  email: { input: { type: 'email' } },
  phone: { isBeside: true, input: { type: 'tel' } },
  company: {},
  job_title: { isBeside: true },
  website: { input: { inputMode: 'url' } },
  city: {},
  country: { isBeside: true },
  external_id: {},
}

export const contactTexts = Object.keys(looks) as ContactText[]

export const inputOf = (name: ContactText) => looks[name].input

export const contactRows: readonly (readonly ContactText[])[] = contactTexts
  .filter((name) => !looks[name].isBeside)
  .map((first) => rowFrom(first))

function rowFrom(first: ContactText): readonly ContactText[] {
  const after = contactTexts.slice(contactTexts.indexOf(first) + 1)
  const end = after.findIndex((name) => !looks[name].isBeside)
  return [first, ...after.slice(0, end === -1 ? undefined : end)]
}
