// The signed-in person's account: name, password, second factor, devices. For owners, everybody's accounts.
import { get, type Page, post, remove } from '../api.ts'
import type {
  AccountChange,
  LeftBehind,
  ListedUserJson as ListedUser,
  OwnSessionJson as Device,
  SignInJson as SignIn,
  UserChange,
  UserDraft,
} from '../../server/accounts/schema.ts'
import type { User } from './session.ts'

export type { Device, ListedUser, SignIn }

export const SIGN_INS_PER_PAGE = 10
export const USERS_PER_PAGE = 25

const account = '/manage/account'
const users = '/manage/users'
const userPath = (id: string, rest = '') => `${users}/${encodeURIComponent(id)}${rest}`

export const changeAccount = (change: AccountChange): Promise<{ user: User }> => post(account, change)

/** It counts once a code of it was confirmed. */
export const beginTotp = (password: string): Promise<{ secret: string; otpauth_url: string }> =>
  post(`${account}/totp`, { current_password: password })
export const confirmTotp = (code: string): Promise<{ recovery_codes: readonly string[] }> =>
  post(`${account}/totp/confirm`, { code })
export const removeTotp = (password: string): Promise<unknown> =>
  remove(`${account}/totp`, { body: { current_password: password } })
export const renewRecoveryCodes = (password: string): Promise<{ recovery_codes: readonly string[] }> =>
  post(`${account}/recovery-codes`, { current_password: password })

export const listDevices = (signal?: AbortSignal): Promise<{ data: readonly Device[] }> =>
  get(`${account}/sessions`, { signal })
export const endDevice = (id: string): Promise<unknown> => remove(`${account}/sessions/${encodeURIComponent(id)}`)

/** @param user left out: one's own. */
export const listSignIns = (user: string | undefined, page: number, signal?: AbortSignal): Promise<Page<SignIn>> =>
  get(user === undefined ? `${account}/sign-ins` : userPath(user, '/sign-ins'), {
    query: { page, per_page: SIGN_INS_PER_PAGE },
    signal,
  })

export const listUsers = (page: number, signal?: AbortSignal): Promise<Page<ListedUser>> =>
  get(users, { query: { page, per_page: USERS_PER_PAGE }, signal })
/** The link is answered once. */
export const createUser = (asked: UserDraft): Promise<{ user: ListedUser; invitation_url: string }> =>
  post(users, asked)
export const changeUser = (id: string, change: UserChange): Promise<{ user: ListedUser }> => post(userPath(id), change)
export const removeUser = (id: string): Promise<LeftBehind> => remove(userPath(id))
/** The link is answered once. @param dropsTotp the second factor goes with the old password. */
export const resetUser = (id: string, dropsTotp: boolean): Promise<{ reset_url: string; expires_ts: number }> =>
  post(userPath(id, '/reset'), { totp: dropsTotp })
