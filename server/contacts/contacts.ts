// The seam to the contacts: what the tracker hands over when a visitor says who they are. Until contacts exist nothing is stored of it.
import { type Context } from '../context.ts'
import { type SessionRef } from '../kernel/ids.ts'

/** At least one of external_id and email is there. */
export interface Identification {
  readonly external_id?: string | null | undefined
  readonly email?: string | null | undefined
  readonly traits?: Readonly<Record<string, unknown>> | null | undefined
}

export interface Identified {
  readonly contact_id: string
  readonly linked_to_session: boolean
}

/** The contact of an identification, linked to the session when that has none yet; or why there is none. */
export async function identifyContact(
  _context: Context,
  _propertyId: string,
  _session: SessionRef | undefined,
  _identification: Identification,
): Promise<Identified | { readonly refused: string }> {
  return { refused: 'Contacts are not available in this version' }
}
