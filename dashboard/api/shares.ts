// Links that show the figures of a property to people without an account.
import { get, type Page, post, remove } from '../api.ts'

export interface ShareLink {
  readonly id: string
  readonly property_id: string
  readonly name: string
  readonly has_password: boolean
  readonly created_ts: number
}

export const SHARES_PER_PAGE = 25

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/shares${rest}`

/** The address is answered once: only a hash of it is kept. */
export const createShare = (
  property: string,
  asked: { readonly name: string; readonly password?: string },
): Promise<{ readonly share: ShareLink; readonly url: string }> => post(pathOf(property), asked)

export const listShares = (property: string, page: number, signal?: AbortSignal): Promise<Page<ShareLink>> =>
  get(pathOf(property), { query: { page, per_page: SHARES_PER_PAGE }, signal })
export const revokeShare = (property: string, share: string): Promise<unknown> =>
  remove(pathOf(property, `/${encodeURIComponent(share)}`))
