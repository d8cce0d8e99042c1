// A share link that was opened in this tab: its token authorizes that property's pages, and is gone with the
// tab.
import { useSyncExternalStore } from 'react'
import type { BearerJson } from '../server/accounts/schema.ts'

export type Share = BearerJson

const KEY = 'footfall-share'
const listeners = new Set<() => void>()
/** An ended share stays known, so that its pages say so instead of asking for a password. */
let current: Share | undefined = read()

function read(): Share | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Share | null) ?? undefined
  } catch {
    return undefined
  }
}

function keep(share: Share | undefined): void {
  current = share
  try {
    if (share) sessionStorage.setItem(KEY, JSON.stringify(share))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Good until the page is loaded anew.
  }
  for (const listener of listeners) listener()
}

/** No time at which a bearer ends. */
const OVER = 0

/** The share that speaks on calls about this property; whether it is good still is the service's to say. */
export function shareFor(property: string | undefined): Share | undefined {
  return current !== undefined && current.property.id === property ? current : undefined
}

export const openShare = (share: Share): void => keep(share)
export const leaveShare = (): void => keep(undefined)

/** The service does not take its bearer any more: nothing is asked with it again. */
export function endShare(ended: Share): void {
  if (current?.access_token === ended.access_token) keep({ ...ended, expires_ts: OVER })
}

/** Replaces the token by a newer one, unless the share was left while that was requested. */
export function renewShare(known: Share, renewed: Pick<Share, 'access_token' | 'expires_ts'>): void {
  if (current?.access_token === known.access_token) keep({ ...known, ...renewed })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The share of this property that was opened here; `isOver` once it shows nothing any more. */
export function useShare(property: string): { share: Share; isOver: boolean } | undefined {
  const share = useSyncExternalStore(subscribe, () => current)
  return share?.property.id === property ? { share, isOver: share.expires_ts === OVER } : undefined
}
