// How often somebody may try a password: counted before it is looked at, and taken back when it was right, so that a thousand tries at once are a
// thousand tries. Nobody can shut somebody else out from where they usually sign in (docs/decisions/0019-accounts.md).
import type { Context } from '../context.ts'
import { secondsLeft } from '../http/limits.ts'
import { mac } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'

type AttemptDeps = Pick<Context, 'limits' | 'keys' | 'now'>

const WINDOW_MS = 15 * 60_000

/** Wrong tries in a window, told in docs/api/accounts.md. */
export const limitsOfAttempts = {
  /** An account from one place: one person who has forgotten which of some passwords it is. */
  pair: 10,
  /** A place, of accounts that were never signed in to there: for whoever tries one password on many accounts. */
  client: 60,
  /** An account from everywhere together, where it was never signed in to: guessing with a thousand addresses gets 9,600 tries a day. */
  account: 100,
  /** A share link from everywhere together. Whoever is in stays in; whoever comes anew waits for the next window. */
  share: 100,
  /** Wrong codes for a password that was right: three of a million are good, so in a day one in 350 would find one. */
  codes: 10,
} as const

interface Counter {
  readonly key: string
  readonly most: number
}

/** The counters may stand in Redis, which is no place for e-mail addresses: a keyed hash stands for what is counted. */
const nameOf = ({ keys }: AttemptDeps, ...parts: readonly string[]): string =>
  `sign-in:${mac(keys('sign-in-limit'), ...parts)
    .subarray(0, 16)
    .toString('base64url')}`

export interface Attempt {
  /** The first one that was refused in this window: worth noting once. */
  readonly isFirstRefused: boolean
  readonly isRefused: boolean
  readonly retryAfterSeconds: number
  /** It was no failure after all. */
  giveBack(): Promise<void>
}

/** Of what nobody guesses. */
export const uncounted: Attempt = {
  isFirstRefused: false,
  isRefused: false,
  retryAfterSeconds: 0,
  giveBack: async () => undefined,
}

/**
 * One counter after the other, and none after the first that refuses: whoever has used up theirs cannot fill the memory
 * with new ones, at no cost, by naming ever more accounts.
 */
async function countUp({ limits }: AttemptDeps, counters: readonly Counter[], nowMs: number): Promise<number> {
  for (const { key, most } of counters) {
    const over = (await limits.count(key, nowMs, WINDOW_MS)) - most
    if (over > 0) return over
  }
  return 0
}

/** @param counters those of the caller's own place first. */
async function attempt(deps: AttemptDeps, counters: readonly Counter[]): Promise<Attempt> {
  const nowMs = deps.now()
  const over = await countUp(deps, counters, nowMs)
  return {
    isRefused: over > 0,
    isFirstRefused: over === 1,
    retryAfterSeconds: secondsLeft(nowMs, WINDOW_MS),
    giveBack: async () => {
      await Promise.all(counters.map(async ({ key }) => deps.limits.giveBack(key, nowMs, WINDOW_MS)))
    },
  }
}

interface Who {
  /** By which addresses are compared; also of nobody. */
  readonly emailKey: string
  /** The client as limits know it. */
  readonly client: string
  /** Whether the account was signed in to from there. */
  readonly isFamiliar: boolean
}

/** One try of a password to sign in with. */
export function attemptSignIn(deps: AttemptDeps, { emailKey, client, isFamiliar }: Who): Promise<Attempt> {
  const pair = { key: nameOf(deps, 'pair', emailKey, client), most: limitsOfAttempts.pair }
  const fromThere = { key: nameOf(deps, 'client', client), most: limitsOfAttempts.client }
  const account = { key: nameOf(deps, 'account', emailKey), most: limitsOfAttempts.account }
  // Somebody else's wrong tries, also those of a whole network behind one address, shut nobody out who usually comes from there.
  return attempt(deps, isFamiliar ? [pair] : [fromThere, pair, account])
}

export function attemptCode(deps: AttemptDeps, userId: string): Promise<Attempt> {
  return attempt(deps, [{ key: nameOf(deps, 'code', userId), most: limitsOfAttempts.codes }])
}

/** One try of the password of somebody who is signed in already: a browser left open must not be a place to guess it. */
export function attemptOwnPassword(deps: AttemptDeps, userId: string): Promise<Attempt> {
  return attempt(deps, [{ key: nameOf(deps, 'own', userId), most: limitsOfAttempts.pair }])
}

export function attemptShare(deps: AttemptDeps, shareId: string, client: string): Promise<Attempt> {
  return attempt(deps, [
    { key: nameOf(deps, 'client', client), most: limitsOfAttempts.client },
    { key: nameOf(deps, 'share', shareId, client), most: limitsOfAttempts.pair },
    { key: nameOf(deps, 'share', shareId), most: limitsOfAttempts.share },
  ])
}

/** What `isRight` finds. Only a wrong try counts: not a right one, and not one that was never checked. */
export async function judge(
  { giveBack }: Pick<Attempt, 'giveBack'>,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  let isWrong = false
  try {
    isWrong = !(await isRight())
    return !isWrong
  } finally {
    if (!isWrong) await giveBack()
  }
}

export const tooManyAttempts = ({ retryAfterSeconds }: Attempt): Problem =>
  new Problem('rate_limited', 'Too many wrong tries: wait until the next quarter of an hour.', { retryAfterSeconds })
