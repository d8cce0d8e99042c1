// What somebody says about who a visitor is, made fit to store: trimmed, without blanks that would overwrite,
// and naming somebody.
import { type EmailAddress, readEmail } from '../kernel/email.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import {
  MAX_LIFECYCLE_STAGE,
  MAX_META_ENTRIES,
  type MetaEntry,
  textLimits,
  traitFields,
} from '../contacts/contact-model.ts'
import { isJunkId } from './junk.ts'
import { cleanMeta, MAX_VISITOR_META } from '../contacts/meta.ts'

type TraitField = Exclude<keyof typeof textLimits, 'external_id' | 'email'>

/** Null and blank ones say nothing. */
export interface Traits extends Partial<Readonly<Record<TraitField, string | null | undefined>>> {
  readonly lifecycle_stage?: string | null | undefined
  readonly meta?: readonly MetaEntry[] | null | undefined
}

/** As the caller wrote it, its lengths checked by a schema. */
export interface Identification {
  readonly external_id?: string | null | undefined
  readonly email?: string | null | undefined
  readonly traits?: Traits | null | undefined
}

/** `token`: the owner's server, which knows. `visitor`: anybody, who may say anything. */
export type IdentifiedBy = 'token' | 'visitor'

/** At least one of external_id and email is there. */
export interface IdentificationDraft {
  readonly external_id: string | null
  readonly email: EmailAddress | null
  /** Only those that say something. */
  readonly traits: Partial<Readonly<Record<TraitField, string>>>
  readonly lifecycle_stage: string | null
  readonly meta: readonly MetaEntry[]
  /** What of the call was not taken, in sentences for the caller. */
  readonly ignored: readonly string[]
}

const MISSING = 'identify requires external_id or email'

function cleaned(text: string | null | undefined, max: number): string | null {
  return cleanText(text ?? '', max).trim() || null
}

function checkEmail(text: string | null | undefined): EmailAddress | null {
  const written = text?.trim() ?? ''
  if (written === '') return null
  const email = readEmail(written)
  if (!email) throw invalid('email', 'email is not an email address.')
  return email
}

function missing(ignored: readonly string[]): Problem {
  const message = [`${MISSING}.`, ...ignored].join(' ')
  return new Problem('validation_failed', message, { errors: { external_id: [message], email: [message] } })
}

function checkTraits(traits: Traits): IdentificationDraft['traits'] {
  const given = traitFields.map((field) => [field, cleaned(traits[field as TraitField], textLimits[field])] as const)
  return Object.fromEntries(given.filter(([, text]) => text !== null))
}

/** What is wrong with an external id that nobody can have; undefined for all others. @param id trimmed. */
function faultOfId(id: string): string | undefined {
  // Changed in silence, as other texts are, it could become the id of somebody else.
  if (cleanText(id, textLimits.external_id) !== id) return 'it has a NUL, or half of a character, in it.'
  return isJunkId(id) ? 'it looks like a placeholder or a missing value.' : undefined
}

/** @param id trimmed. @throws Problem('validation_failed') for one that nobody can have. */
export function requireId(id: string): void {
  const fault = faultOfId(id)
  if (fault !== undefined) throw invalid('external_id', `external_id names nobody: ${fault}`)
}

/**
 * An external id that nobody has is refused from a token, and left out of a visitor's call, whose address may
 * still name somebody.
 * @throws Problem('validation_failed')
 */
export function checkIdentification(identification: Identification, by: IdentifiedBy): IdentificationDraft {
  const id = identification.external_id?.trim() ?? ''
  if (by === 'token') requireId(id)
  const fault = faultOfId(id)
  const ignored = fault === undefined ? [] : [`external_id was ignored: ${fault}`]
  const external_id = fault === undefined && id !== '' ? id : null
  const email = checkEmail(identification.email)
  if (external_id === null && email === null) throw missing(ignored)
  const traits = identification.traits ?? {}
  return {
    external_id,
    email,
    traits: checkTraits(traits),
    lifecycle_stage: cleaned(traits.lifecycle_stage, MAX_LIFECYCLE_STAGE),
    meta: cleanMeta('traits.meta', traits.meta ?? [], by === 'token' ? MAX_META_ENTRIES : MAX_VISITOR_META),
    ignored,
  }
}
