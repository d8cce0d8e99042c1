// Links that show the figures of a property to people without an account.
import { get, type Page, post, remove } from '../api.ts'
import type { ShareDraft, ShareJson as ShareLink } from '../../server/accounts/schema.ts'

export type { ShareLink }

export const SHARES_PER_PAGE = 25

const pathOf = (property: string, rest = '') => `/manage/properties/${encodeURIComponent(property)}/shares${rest}`

/** The address is answered once: only a hash of it is kept. */
export const createShare = (
  property: string,
  asked: ShareDraft,
): Promise<{ readonly share: ShareLink; readonly url: string }> => post(pathOf(property), asked)

export const listShares = (property: string, page: number, signal?: AbortSignal): Promise<Page<ShareLink>> =>
  get(pathOf(property), { query: { page, per_page: SHARES_PER_PAGE }, signal })
export const revokeShare = (property: string, share: string): Promise<unknown> =>
  remove(pathOf(property, `/${encodeURIComponent(share)}`))
