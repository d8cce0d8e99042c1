// Who is here: signing in and out, the first owner, invitations and share links.
import { get, post, remove } from '../api.ts'
import type { Share } from '../share.ts'
import type { Role } from '../../server/accounts/roles.ts'

export type { Role }

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  /** Of the whole installation. */
  readonly is_owner: boolean
  readonly has_totp: boolean
  readonly created_ts: number
}

export interface MyProperty {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly role: Role
  /** What it holds is made up. */
  readonly is_sample: boolean
}

/** So many are told with the session; whoever has them has more, most likely. */
export const MOST_LISTED = 100

export interface Session {
  readonly user: User | null
  /** Nobody has made the first owner yet. */
  readonly is_setup_open: boolean
  /** Null for who is not signed in. */
  readonly version: string | null
  readonly properties?: readonly MyProperty[]
}

export interface Invitation {
  /** To a property, to the installation, or to a new password. */
  readonly kind: 'member' | 'user' | 'reset'
  readonly email: string
  readonly property_name: string | null
  readonly role: Role | null
  readonly needs_password: boolean
  /** There is an account with this address: its owner signs in, and then accepts. */
  readonly needs_sign_in: boolean
  /** A reset for who has a second factor. */
  readonly needs_code: boolean
}

export const readSession = (signal: AbortSignal): Promise<Session> => get<Session>('/manage/session', { signal })
export const signIn = (email: string, password: string, code?: string): Promise<{ user: User }> =>
  post('/manage/session', { email, password, ...(code !== undefined && { code }) })
export const signOut = (): Promise<unknown> => remove('/manage/session')
export const setUp = (asked: {
  token: string
  email: string
  name: string
  password: string
}): Promise<{ user: User }> => post('/manage/setup', asked)
export const readInvitation = (token: string, signal: AbortSignal): Promise<Invitation> =>
  post('/manage/invitation', { token }, { signal })
export const acceptInvitation = (asked: {
  token: string
  name?: string
  password?: string
  code?: string
}): Promise<{ user: User }> => post('/manage/invitation/accept', asked)
/** Another half a day for a bearer that is good still. */
export const renewBearer = ({ property }: Share): Promise<Pick<Share, 'access_token' | 'expires_ts'>> =>
  post('/manage/share/renew', {}, { property: property.id })
export const enterShare = (token: string, password?: string): Promise<Share> =>
  post('/manage/share', { token, ...(password !== undefined && { password }) })
