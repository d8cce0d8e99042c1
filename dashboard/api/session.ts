// Who is here: signing in and out, the first owner, invitations and share links.
import { get, post, remove } from '../api.ts'
import type { Share } from '../share.ts'
import type { Role } from '../../server/kernel/roles.ts'
import type {
  Acceptance,
  LinkJson as Invitation,
  OwnPropertyJson as MyProperty,
  SessionJson,
  UserJson as User,
} from '../../server/accounts/schema.ts'

export type { Invitation, MyProperty, Role, User }

/** The session lists at most so many properties: a person with exactly that many probably has more. */
export const MOST_LISTED = 100

export type Session = Omit<SessionJson, 'share'>

export const readSession = (signal: AbortSignal): Promise<Session> => get<Session>('/manage/session', { signal })
export const signIn = (email: string, password: string, code?: string): Promise<{ user: User }> =>
  post('/manage/session', { email, password, ...(code !== undefined && { code }) })
export const askForReset = (email: string): Promise<unknown> => post('/manage/session/forgotten', { email })
export const signOut = (): Promise<unknown> => remove('/manage/session')
export const setUp = (asked: {
  token: string
  email: string
  name: string
  password: string
}): Promise<{ user: User }> => post('/manage/setup', asked)
export const readInvitation = (token: string, signal: AbortSignal): Promise<Invitation> =>
  post('/manage/invitation', { token }, { signal })
export const acceptInvitation = (asked: Acceptance): Promise<{ user: User }> => post('/manage/invitation/accept', asked)
/** Another half a day for a bearer that is good still. */
export const renewBearer = ({ property }: Share): Promise<Pick<Share, 'access_token' | 'expires_ts'>> =>
  post('/manage/share/renew', {}, { property: property.id })
export const enterShare = (token: string, password?: string): Promise<Share> =>
  post('/manage/share', { token, ...(password !== undefined && { password }) })
