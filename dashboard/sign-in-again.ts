// A session that ends under an open page: whoever was signed in is asked to sign in again over the page, so
// that nothing that was typed is lost. Calls that found the session ended wait for it, and are repeated.
import { useSyncExternalStore } from 'react'
import type { User } from './api/session.ts'
import { openStore } from './store.ts'

/** The dialog is open, or was sent away; undefined while the session is good. */
export type Ended = 'asked' | 'declined' | undefined

const ended = openStore<Ended>(undefined)
let known: User | undefined
/** One more with each signing in: a call that began before it is repeated without asking. */
let turn = 0
let pending: PromiseWithResolvers<boolean> | undefined

export const knownUser = (): User | undefined => known
export const signInTurn = (): number => turn
export const useEnded = (): Ended => useSyncExternalStore(ended.subscribe, ended.get)

/** Ends the asking. @param isBack the same person is signed in again. */
export function finishAsking(isBack: boolean): void {
  if (isBack) turn += 1
  ended.set(isBack ? undefined : 'declined')
  pending?.resolve(isBack)
  pending = undefined
}

/** Who is signed in, as the service says it; undefined after signing out. */
export function noteUser(user: User | undefined): void {
  known = user
  if (user) return
  finishAsking(false)
  ended.set(undefined)
}

/** Opens the dialog. */
export const askAgain = (): void => ended.set('asked')

/**
 * For a call that found nobody signed in. @returns whether to repeat it; false when nobody was, or when they
 * do not want to now.
 * @param isAction somebody pressed a button: they are asked again, though they sent the question away.
 */
export async function signedInAgain(begunIn: number, isAction: boolean): Promise<boolean> {
  if (!known) return false
  if (begunIn !== turn) return true
  if (ended.get() === 'declined' && !isAction) return false
  pending ??= Promise.withResolvers<boolean>()
  askAgain()
  return pending.promise
}
