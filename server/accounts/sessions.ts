// Sessions of signed-in people: each starts with a new secret, and its end is known to every node within two
// seconds.
import { currentTs, type Deps } from '../kernel/deps.ts'
import { openDirectory } from '../queues/directory.ts'
import { newId, secretHash } from '../kernel/secrets.ts'
import type { Tx } from '../stores/records.ts'
import {
  deleteOldSessions,
  deleteSessionByHash,
  insertSession,
  selectSignedIn,
  touchSession,
} from './session-records.ts'
import { IDLE_SECONDS, LONGEST_SECONDS } from './retention.ts'
import { selectShares } from '../members/share-records.ts'
import type { SharedWith, SignedIn } from './user-model.ts'

/** 256 bits, base64url. */
const SECRET_BYTES = 32
const secretShape = /^[\w-]{43}$/
/** The time at which a session was last used is stored no more often than this. */
const SEEN_SECONDS = 300
/** Browsers of one person; a further one replaces the oldest. */
const MOST_SESSIONS = 50

export interface AccountDirectory {
  /** By the cookie. A promise only when the answer is not in memory. */
  bySecret(secret: string): Promise<SignedIn | undefined> | SignedIn | undefined
  shareById(id: string): Promise<SharedWith | undefined> | SharedWith | undefined
  /** After a change on this node; other nodes notice within two seconds. */
  forgetUser(id: string): void
  forgetShare(id: string): void
  /** All sessions. */
  forgetAll(): void
}

type DirectoryDeps = Pick<Deps, 'records' | 'now' | 'log'>

const isOver = ({ createdTs, lastSeenTs }: SignedIn, nowTs: number): boolean =>
  nowTs - lastSeenTs > IDLE_SECONDS || nowTs - createdTs > LONGEST_SECONDS

/** Stores when a session was used, at most every SEEN_SECONDS and without delaying the request. */
function openNoting({ records, log }: DirectoryDeps) {
  const noting = new Set<string>()
  return ({ sessionId, lastSeenTs }: SignedIn, nowTs: number): void => {
    if (nowTs - lastSeenTs < SEEN_SECONDS || noting.has(sessionId)) return
    noting.add(sessionId)
    touchSession(records, sessionId, nowTs)
      .catch((error: unknown) => log.warn({ err: error }, 'a session could not be noted as seen'))
      .finally(() => noting.delete(sessionId))
  }
}

export function openAccountDirectory(deps: DirectoryDeps): AccountDirectory {
  const { records, now } = deps
  // Without the records nobody is let in for longer than two seconds: a session may have been ended on a node
  // that can reach them.
  const sessions = openDirectory<SignedIn>({ now, staleMs: 0, load: (hashes) => selectSignedIn(records, hashes) })
  const shares = openDirectory<SharedWith>({ now, staleMs: 0, load: (ids) => selectShares(records, ids) })
  const note = openNoting(deps)
  const checked = (found: SignedIn | undefined): SignedIn | undefined => {
    const nowTs = currentTs({ now })
    if (!found || isOver(found, nowTs)) return undefined
    note(found, nowTs)
    return found
  }
  return {
    bySecret(secret) {
      if (!secretShape.test(secret)) return undefined
      const found = sessions.get(secretHash(secret))
      return found instanceof Promise ? found.then(checked) : checked(found)
    },
    shareById: (id) => shares.get(id),
    forgetUser: (id) => sessions.forget(({ user }) => user.id === id),
    forgetShare: (id) => shares.forget(({ shareId }) => shareId === id),
    forgetAll: () => sessions.forget(() => true),
  }
}

/** The browser as its owner will recognise it. */
export interface Browser {
  readonly browser: string
  readonly os: string
  /** The cookie that it sent, if any. */
  readonly cookie: string | undefined
}

/**
 * Part of the sign-in's transaction. Always creates a new secret (against session fixation) and ends the
 * session of the cookie that the browser sent.
 * @returns the text for the cookie, which is stored only as a hash.
 */
export async function openSession(
  deps: Pick<Deps, 'now' | 'randomBytes'>,
  tx: Tx,
  userId: string,
  { browser, os, cookie }: Browser,
): Promise<string> {
  const secret = deps.randomBytes(SECRET_BYTES).toString('base64url')
  const nowTs = currentTs(deps)
  if (cookie !== undefined) await deleteSessionByHash(tx, secretHash(cookie))
  await deleteOldSessions(tx, userId, {
    seenSince: nowTs - IDLE_SECONDS,
    createdSince: nowTs - LONGEST_SECONDS,
    most: MOST_SESSIONS - 1,
  })
  await insertSession(tx, {
    id: newId(deps, 'se'),
    user_id: userId,
    hash: secretHash(secret),
    created_ts: nowTs,
    last_seen_ts: nowTs,
    browser,
    os,
  })
  return secret
}

/** Signs out: the cookie stops working. */
export async function closeSession(
  { records, accounts }: Pick<Deps, 'records'> & { readonly accounts: AccountDirectory },
  secret: string,
): Promise<void> {
  const found = await accounts.bySecret(secret)
  if (!found) return
  await deleteSessionByHash(records, secretHash(secret))
  accounts.forgetUser(found.user.id)
}
