// Hashes passwords with argon2id (RFC 9106). The parameters are part of the stored text, so they can be
// raised without new passwords. Only a few hashes are computed at a time; other callers wait in a bounded
// queue.
import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../kernel/problem.ts'
import { openTurns } from '../queues/turns.ts'
import type { RandomBytes } from '../kernel/secrets.ts'

interface HashDeps {
  readonly randomBytes: RandomBytes
  readonly passwordCost: PasswordCost
}

/** The cost of one hash. It is also spent on addresses without an account, so that the time tells nothing. */
export interface PasswordCost {
  /** KiB */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** 19 MiB and two passes, which OWASP recommends: some 20 ms of one processor. */
export const usualPasswordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const HASH_BYTES = 32
const SALT_BYTES = 16

/**
 * Each hash occupies one of the four threads that also read files and resolve names: half of them stay free,
 * and at most 38 MiB are used.
 */
const AT_ONCE = 2
/** About two seconds of waiting. Later callers are asked to try again. */
const MAX_WAITING = 200
const RETRY_SECONDS = 2

const argon2Hash = promisify(argon2)
const inTurn = openTurns({
  atOnce: AT_ONCE,
  mostWaiting: MAX_WAITING,
  tooMany: () =>
    new Problem('unavailable', 'Too many people are signing in right now.', { retryAfterSeconds: RETRY_SECONDS }),
})

/** Unicode writes some characters in several ways, depending on the keyboard: normalised to one. */
const messageOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'))

function compute(password: string, salt: Buffer, { memory, passes, parallelism }: PasswordCost): Promise<Buffer> {
  const parameters = { message: messageOf(password), nonce: salt, memory, passes, parallelism, tagLength: HASH_BYTES }
  return inTurn(() => argon2Hash('argon2id', parameters))
}

const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

function format({ memory, passes, parallelism }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`
}

/** @throws Problem('unavailable') when too many wait. */
export async function hashPassword({ randomBytes, passwordCost }: HashDeps, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return format(passwordCost, salt, await compute(password, salt, passwordCost))
}

/**
 * A well-formed hash that no password matches. Checking against it costs addresses without an account as much
 * time as others.
 */
const nobodyAt = (cost: PasswordCost): string => format(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

const shape = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/

/**
 * Uses the cost of the stored hash, which may differ from today's.
 * @param stored null when there is no account or no password: then the answer is false, after the same time.
 * @throws Problem('unavailable') when too many wait.
 */
export async function isPassword(
  { passwordCost }: Pick<HashDeps, 'passwordCost'>,
  password: string,
  kept: string | null,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = shape.exec(kept ?? nobodyAt(passwordCost)) ?? []
  if (salt === undefined || hash === undefined) throw new Error('a stored password cannot be read')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const computed = await compute(password, Buffer.from(salt, 'base64'), cost)
  return timingSafeEqual(computed, Buffer.from(hash, 'base64')) && kept !== null
}
