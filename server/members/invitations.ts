// Links that work once: into a property, to a new account, or to a new password. A link only lets in the
// person whom it was created for, and never into somebody else's existing account.
import { type Config, dashboardUrl } from '../config.ts'
import type { Context } from '../context.ts'
import type { EmailAddress } from '../kernel/email.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { getProperty } from '../properties/properties.ts'
import { newId, randomText, secretHash } from '../kernel/secrets.ts'
import type { Tx } from '../stores/records.ts'
import {
  deleteEarlier,
  deleteExpired,
  deleteInvitation,
  findInvitation,
  insertInvitation,
  type Invitation,
  listInvitationRows,
} from './invitation-records.ts'
import { findUser, type StoredUser } from '../accounts/records.ts'
import type { InvitationJson } from '../accounts/schema.ts'

/** 238 bits: cannot be guessed. */
const TOKEN_LENGTH = 40
const GOOD_SECONDS = 7 * 86_400
const tokenShape = /^[0-9A-Za-z]{40}$/
const idShape = /^iv_[0-9A-Za-z]{16,64}$/

export interface InvitationLink {
  readonly invitation: Invitation
  /** Shown once: only a hash of the token (after #) is stored. */
  readonly url: string
}

type LinkDeps = Pick<Deps, 'now' | 'randomBytes'> & { readonly config: Config }

type ForWhom = Pick<Invitation, 'kind'> &
  Partial<Pick<Invitation, 'property_id' | 'role' | 'user_id' | 'drops_totp'>> & { readonly email: EmailAddress }

interface LinkOptions {
  readonly goodSeconds?: number
  readonly keepsEarlier?: boolean
}

/** Replaces the earlier link for the same purpose, unless told to keep it. */
export async function makeLink(
  deps: LinkDeps,
  tx: Tx,
  { email, ...given }: ForWhom,
  { goodSeconds = GOOD_SECONDS, keepsEarlier = false }: LinkOptions = {},
): Promise<InvitationLink> {
  const nowTs = currentTs(deps)
  const token = randomText(deps.randomBytes, TOKEN_LENGTH)
  const invitation: Invitation = {
    id: newId(deps, 'iv'),
    property_id: null,
    role: null,
    user_id: null,
    drops_totp: 0,
    ...given,
    email: email.text,
    email_key: email.key,
    created_ts: nowTs,
    expires_ts: nowTs + goodSeconds,
  }
  await deleteExpired(tx, nowTs)
  if (!keepsEarlier) await deleteEarlier(tx, invitation)
  await insertInvitation(tx, invitation, secretHash(token))
  return { invitation, url: `${dashboardUrl(deps.config)}/invitation#${token}` }
}

export const linkNotFound = () => new Problem('not_found', 'This link is wrong, was already used, or has expired.')

/** What a link is for, and the account it belongs to. */
export interface OpenLink {
  readonly invitation: Invitation
  /** The person whose account or password it is for, or who has the invited address. */
  readonly user: StoredUser | undefined
}

/** @throws Problem('not_found') */
export async function openLink({ records, now }: Pick<Deps, 'records' | 'now'>, token: string): Promise<OpenLink> {
  const nowTs = currentTs({ now })
  const invitation = tokenShape.test(token) ? await findInvitation(records, secretHash(token), nowTs) : undefined
  if (!invitation) throw linkNotFound()
  const user = await (invitation.user_id === null
    ? findUser(records, 'email_key', invitation.email_key)
    : findUser(records, 'id', invitation.user_id))
  // A link of a deactivated person is treated as expired.
  if (invitation.kind !== 'member' && !user?.is_active) throw linkNotFound()
  return { invitation, user }
}

/** What the page of the link shows. */
export async function describeLink(context: Pick<Context, 'records' | 'now'>, token: string) {
  const { invitation, user } = await openLink(context, token)
  const property = invitation.property_id === null ? null : await getProperty(context, invitation.property_id)
  const isForeign = invitation.kind === 'member' && user !== undefined
  return {
    kind: invitation.kind,
    email: invitation.email,
    property_name: property?.name ?? null,
    role: invitation.role,
    needs_password: !isForeign,
    /** The address has an account: its holder accepts the invitation when signed in. */
    needs_sign_in: isForeign,
    needs_code: invitation.kind === 'reset' && user?.has_totp === true && invitation.drops_totp === 0,
  }
}

/** Of an invitation into a property. */
export function invitationJson({ id, email, role, created_ts, expires_ts }: Invitation): InvitationJson {
  if (role === null) throw new Error('an invitation into a property names no role')
  return { id, email, role, created_ts, expires_ts }
}

export async function listInvitations(
  { records, now }: Pick<Deps, 'records' | 'now'>,
  propertyId: string,
): Promise<InvitationJson[]> {
  const rows = await listInvitationRows(records, propertyId, currentTs({ now }))
  return rows.map(invitationJson)
}

export async function withdrawInvitation(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
): Promise<void> {
  const removed = idShape.test(id) && (await deleteInvitation(records, propertyId, id))
  if (!removed) throw new Problem('not_found', 'Invitation not found.')
}
