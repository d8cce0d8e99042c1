// Passwords as they are kept: argon2id (RFC 9106), with its parameters in the text, so that they may be raised without asking anybody for a new one.
// However many sign in at once, few are computed at a time, and the others wait in a line that has an end.
import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../kernel/problem.ts'
import { openTurns } from '../queues/turns.ts'
import type { RandomBytes } from '../kernel/secrets.ts'

interface HashDeps {
  readonly randomBytes: RandomBytes
  readonly passwordCost: PasswordCost
}

/** What it costs to compute one: the same for whoever chooses a password, and for whom there is none. */
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

/** Each takes one of the four threads on which files and names are looked up too: half of them stay free, and 38 MiB is the most that is ever taken. */
const AT_ONCE = 2
/** Some two seconds of waiting. Who comes after that is told to try again. */
const MAX_WAITING = 200
const RETRY_SECONDS = 2

const argon2Hash = promisify(argon2)
const inTurn = openTurns({
  atOnce: AT_ONCE,
  mostWaiting: MAX_WAITING,
  tooMany: () =>
    new Problem('unavailable', 'Too many people are signing in at this moment.', { retryAfterSeconds: RETRY_SECONDS }),
})

/** One character may be written in several ways, and the keyboard decides in which. */
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

/** The form of it, and right for no password: no hash is all zeros. What it costs to be refused is the same for whom there is no account. */
const nobodyAt = (cost: PasswordCost): string => format(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

const shape = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/

/**
 * At the cost that stands in what is kept, also when passwords are kept at another one by now.
 * @param kept null where there is no account or no password: false, after the same time.
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
