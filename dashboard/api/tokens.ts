// What programs may do with a property.
import { get, type Page, post, remove } from '../api.ts'
import type { TokenJson as Token } from '../../server/properties/schema.ts'
import type { Scope } from '../../server/properties/tokens.ts'

export type { Scope, Token }
export const scopes = [
  'signals:read',
  'signals:write',
  'contacts:read',
  'contacts:write',
  'shortlinks:read',
  'shortlinks:write',
] as const satisfies readonly Scope[]

export const TOKENS_PER_PAGE = 25

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/tokens${rest}`

export const listTokens = (property: string, page: number, signal?: AbortSignal): Promise<Page<Token>> =>
  get(pathOf(property), { query: { page, per_page: TOKENS_PER_PAGE }, signal })
/** The token itself is answered once: only a hash of it is kept. */
export const createToken = (
  property: string,
  asked: { readonly name: string; readonly scopes: readonly Scope[] },
): Promise<{ token: Token; access_token: string }> => post(pathOf(property), asked)
export const revokeToken = (property: string, token: string): Promise<unknown> =>
  remove(pathOf(property, `/${encodeURIComponent(token)}`))
