// Limits on tries of a password. A try is counted before the password is checked and uncounted when it was
// right, so that a thousand concurrent tries are counted as a thousand. Nobody can lock another person out
// from where that person usually signs in (docs/decisions/0019-accounts.md).
import type { Context } from '../context.ts'
import { secondsLeft } from '../http/limits.ts'
import { mac } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'

type AttemptDeps = Pick<Context, 'limits' | 'keys' | 'now'>

const WINDOW_MS = 15 * 60_000

/** Wrong tries in one window; docs/api/accounts.md documents them. */
export const limitsOfAttempts = {
  /** One account from one client: a person who does not remember which of several passwords it is. */
  pair: 10,
  /**
   * One client, over accounts that never signed in from there: against trying one password on many accounts.
   */
  client: 60,
  /**
   * One account, over all clients it never signed in from: guessing from a thousand addresses gets 9,600
   * tries a day.
   */
  account: 100,
  /** One share link, over all clients. People who are in stay in; new ones wait for the next window. */
  share: 100,
  /** One short link with a password, from one client: several people of a household or an office. */
  linkPair: 20,
  /** One short link, over all clients: a thousand guesses cost some twenty seconds of a processor. */
  link: 1_000,
  /**
   * Wrong codes after a right password. Three of a million codes are valid at a time, so guessing all day
   * would succeed once in 350 days.
   */
  codes: 10,
  /** Mail with a link for a new password to one account. */
  mails: 3,
} as const

interface Counter {
  readonly key: string
  readonly most: number
}

/** The counters may be stored in Redis, which should hold no email addresses: keys are keyed hashes. */
const nameOf = ({ keys }: AttemptDeps, ...parts: readonly string[]): string =>
  `sign-in:${mac(keys('sign-in-limit'), ...parts)
    .subarray(0, 16)
    .toString('base64url')}`

export interface Attempt {
  /** The first refusal of this window, which is logged. */
  readonly isFirstRefused: boolean
  readonly isRefused: boolean
  readonly retryAfterSeconds: number
  /** Uncounts a try that was right. */
  giveBack(): Promise<void>
}

/** For secrets that nobody can guess. */
export const uncounted: Attempt = {
  isFirstRefused: false,
  isRefused: false,
  retryAfterSeconds: 0,
  giveBack: async () => undefined,
}

/**
 * Stops at the first counter that refuses: a client that is over its own limit must not be able to fill the
 * memory with new counters by naming ever more accounts.
 */
async function countUp({ limits }: AttemptDeps, counters: readonly Counter[], nowMs: number): Promise<number> {
  for (const { key, most } of counters) {
    const over = (await limits.count(key, nowMs, WINDOW_MS)) - most
    if (over > 0) return over
  }
  return 0
}

/** @param counters the caller's own first. */
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
  /** The normalised address; also of one that has no account. */
  readonly emailKey: string
  /** The client as limits know it. */
  readonly client: string
  /** Whether the account signed in from there before. */
  readonly isFamiliar: boolean
}

/** One try of a password at sign-in. */
export function attemptSignIn(deps: AttemptDeps, { emailKey, client, isFamiliar }: Who): Promise<Attempt> {
  const pair = { key: nameOf(deps, 'pair', emailKey, client), most: limitsOfAttempts.pair }
  const fromThere = { key: nameOf(deps, 'client', client), most: limitsOfAttempts.client }
  const account = { key: nameOf(deps, 'account', emailKey), most: limitsOfAttempts.account }
  // Wrong tries of others, even of others behind the same address, do not lock out a person who usually signs
  // in from there.
  return attempt(deps, isFamiliar ? [pair] : [fromThere, pair, account])
}

export function attemptCode(deps: AttemptDeps, userId: string): Promise<Attempt> {
  return attempt(deps, [{ key: nameOf(deps, 'code', userId), most: limitsOfAttempts.codes }])
}

/**
 * One try of the own password by a signed-in person: a browser that was left open must not be a place to
 * guess it.
 */
export function attemptOwnPassword(deps: AttemptDeps, userId: string): Promise<Attempt> {
  return attempt(deps, [{ key: nameOf(deps, 'own', userId), most: limitsOfAttempts.pair }])
}

/** Asking for a link by mail: of one client, over all addresses. */
export function attemptForgotten(deps: AttemptDeps, client: string): Promise<Attempt> {
  return attempt(deps, [{ key: nameOf(deps, 'forgotten', client), most: limitsOfAttempts.pair }])
}

/** Nobody's mailbox is flooded by others who ask for links. */
export function attemptMailOf(deps: AttemptDeps, emailKey: string): Promise<Attempt> {
  return attempt(deps, [{ key: nameOf(deps, 'mail of', emailKey), most: limitsOfAttempts.mails }])
}

export function attemptShare(deps: AttemptDeps, shareId: string, client: string): Promise<Attempt> {
  return attempt(deps, [
    { key: nameOf(deps, 'client', client), most: limitsOfAttempts.client },
    { key: nameOf(deps, 'share', shareId, client), most: limitsOfAttempts.pair },
    { key: nameOf(deps, 'share', shareId), most: limitsOfAttempts.share },
  ])
}

/** Counted apart from sign-ins: whoever guesses at links must not shut out those who sign in beside them. */
export function attemptLink(deps: AttemptDeps, linkId: string, client: string): Promise<Attempt> {
  return attempt(deps, [
    { key: nameOf(deps, 'links from', client), most: limitsOfAttempts.client },
    { key: nameOf(deps, 'link', linkId, client), most: limitsOfAttempts.linkPair },
    { key: nameOf(deps, 'link', linkId), most: limitsOfAttempts.link },
  ])
}

/**
 * @returns what `isRight` finds. Only a wrong try counts: neither a right one nor one that could not be
 * checked.
 */
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
  new Problem('rate_limited', 'Too many failed attempts. Try again in 15 minutes.', { retryAfterSeconds })
