// Which answers of a form say who sent it: as its owner says, else by type, autofill and name of the fields.
import { readMaybeText, readObject } from '../kernel/draft-read.ts'
import { readEmail } from '../kernel/email.ts'
import { invalid } from '../kernel/problem.ts'
import { type LeadPart, leadParts } from './lead-parts.ts'
import { type Answer, type Form, type FormField, MAX_FIELD_NAME } from './form-model.ts'

/** By part: the name of a field; '' for none; left out where the field is found by itself. */
export type ContactFields = Readonly<Partial<Record<LeadPart, string>>>

interface Known {
  readonly name: string
  readonly type: string
  readonly label: string
  readonly autocomplete: string | null
}

interface Signs {
  readonly type?: string
  /** A token of the autocomplete attribute. */
  readonly token?: string
  /** Of a name, in the languages that visitors are spoken to. */
  readonly name?: RegExp
}

/** In the order in which fields are given out: a first name is no full name. */
const signs: readonly (readonly [LeadPart, Signs])[] = [
  ['email', { type: 'email', token: 'email', name: /^(?:your)?e?-?mail(?:address)?$|^(?:correo|courriel)/ }],
  ['phone', { type: 'tel', token: 'tel', name: /^(?:your)?(?:phone|telefon|mobile|tel$|telephone)/ }],
  [
    'company',
    {
      token: 'organization',
      name: /^(?:your)?(?:company|organi[sz]ation|firma|unternehmen|entreprise|societe|empresa|azienda|bedrijf)/,
    },
  ],
  ['first_name', { token: 'given-name', name: /^(?:your)?(?:first|given|fore)name$|^(?:fname|vorname|prenom|imie)$/ }],
  [
    'last_name',
    {
      token: 'family-name',
      name: /^(?:your)?(?:last|family|sur)name$|^(?:lname|nachname|apellidos?|cognome|achternaam|nazwisko)$/,
    },
  ],
  ['name', { token: 'name', name: /^(?:your|full)?name$|^(?:nom|nombre|nome|naam)$/ }],
  [
    'consent',
    {
      name: /consent|newsletter|optin|marketing|einwillig|zustimm|consentement|consentimiento|consenso|toestemming|zgoda/,
    },
  ],
]

/** Letters alone, without accents: `Your e-mail:` and `your_email` are one name. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

function isMeant(part: LeadPart, field: Known, { type, token, name }: Signs): boolean {
  if (part === 'consent' && field.type !== 'checkbox') return false
  if (type !== undefined && field.type === type) return true
  if (token !== undefined && (field.autocomplete ?? '').split(' ').includes(token)) return true
  return name !== undefined && (name.test(plain(field.name)) || name.test(plain(field.label)))
}

/** The fields that are found by themselves, each for one part. */
export function presetFields(fields: readonly Known[]): ContactFields {
  const found: Partial<Record<LeadPart, string>> = {}
  const taken = new Set<string>()
  for (const [part, sign] of signs) {
    const field = fields.find((one) => !taken.has(one.name) && isMeant(part, one, sign))
    if (!field) continue
    found[part] = field.name
    taken.add(field.name)
  }
  return found
}

/**
 * What an owner wrote: null, and what is left out, is found by itself. @throws Problem('validation_failed')
 */
export function readContactFields(written: unknown, fields: readonly FormField[] | null): ContactFields {
  const members = readObject('contact_fields', written ?? {})
  const stranger = Object.keys(members).find((name) => !leadParts.some((part) => part === name))
  if (stranger !== undefined)
    throw invalid('contact_fields', `contact_fields may have ${leadParts.join(', ')}, and nothing else.`)
  const read: Partial<Record<LeadPart, string>> = {}
  for (const part of leadParts) {
    if (members[part] === undefined || members[part] === null) continue
    const path = `contact_fields.${part}`
    const name = readMaybeText(path, members[part], MAX_FIELD_NAME) ?? ''
    if (name !== '' && fields?.every((field) => field.name !== name))
      throw invalid(path, `${path}: the form has no such field.`)
    read[part] = name
  }
  return read
}

/** Fields that were removed since count as none. */
export const keptFields = (contactFields: ContactFields, fields: readonly FormField[]): ContactFields =>
  Object.fromEntries(
    Object.entries(contactFields).filter(([, name]) => name === '' || fields.some((field) => field.name === name)),
  )

/** Whether its fields, as far as they are known beforehand, say who sends it. */
export const hasEmailField = (fields: readonly FormField[]): boolean => presetFields(fields).email !== undefined

export interface Lead {
  readonly email: string
  readonly traits: Partial<Readonly<Record<'first_name' | 'last_name' | 'company' | 'phone', string>>>
  /** The words that were agreed to, as they were shown; null: nobody agreed to anything. */
  readonly consent: string | null
  /** Whether the form asks for it. */
  readonly isAsked: boolean
}

const firstOf = (answer: Answer | undefined): string => [answer?.value ?? ''].flat()[0]?.trim() ?? ''

/** The first word, and all others: as most people write their names, in most languages. */
function splitName(name: string): Lead['traits'] {
  const [first = '', ...rest] = name.split(/\s+/)
  return { ...(first && { first_name: first }), ...(rest.length > 0 && { last_name: rest.join(' ') }) }
}

const isRefusal = (text: string): boolean => /^(?:|0|false|no|off)$/i.test(text.trim())

/** Of boxes the words of those that were ticked, under their heading. */
function consentIn(answer: Answer | undefined, field: FormField | undefined): string | null {
  const ticked = [answer?.value ?? ''].flat().filter((text) => !isRefusal(text))
  if (!answer || ticked.length === 0) return null
  const shown = ticked.flatMap((value) => field?.options.find((option) => option.value === value)?.label ?? [])
  return [answer.label, ...shown].join(': ')
}

/** Of an open form only what its owner has named is known. */
function asksConsent({ fields, contact_fields }: Pick<Form, 'fields' | 'contact_fields'>): boolean {
  return (contact_fields.consent ?? presetFields(fields).consent ?? '') !== ''
}

/** Undefined when the answers name nobody who could be found again: an address is needed for that. */
export function readLead(
  { fields, contact_fields }: Pick<Form, 'fields' | 'contact_fields'>,
  answers: readonly Answer[],
): Lead | undefined {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const known = answers.map(({ name, type, label }) => ({
    name,
    type,
    label,
    autocomplete: byName.get(name)?.autocomplete ?? null,
  }))
  const chosen = { ...presetFields(known), ...contact_fields }
  const answerOf = (part: LeadPart) => answers.find(({ name }) => chosen[part] !== '' && name === chosen[part])
  const email = firstOf(answerOf('email'))
  if (!readEmail(email)) return undefined
  const own = (['first_name', 'last_name', 'company', 'phone'] as const).map(
    (part) => [part, firstOf(answerOf(part))] as const,
  )
  return {
    email,
    traits: { ...splitName(firstOf(answerOf('name'))), ...Object.fromEntries(own.filter(([, text]) => text !== '')) },
    consent: consentIn(answerOf('consent'), byName.get(chosen.consent ?? '')),
    isAsked: asksConsent({ fields, contact_fields }),
  }
}
