// The second factor: codes of an authenticator (TOTP, RFC 6238) and recovery codes. Each code works once.
import { Secret, TOTP } from 'otpauth'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { decrypt, encrypt } from '../kernel/encryption.ts'
import { type RandomBytes, secretHash } from '../kernel/secrets.ts'
import type { StoredUser } from './records.ts'
import { useRecoveryCode, useStep } from './sign-in-records.ts'

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Tolerates clocks that differ by half a minute. */
const STEPS_AROUND = 1
const ISSUER = 'Footfall'

const contextOf = (userId: string): string => `totp:${userId}`

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  })
}

export interface NewFactor {
  /** Base32, to be typed in. */
  readonly secret: string
  /** Shown as a QR code. */
  readonly otpauth_url: string
  readonly encrypted: string
}

export function newFactor({ keys, randomBytes }: Pick<Deps, 'keys' | 'randomBytes'>, user: StoredUser): NewFactor {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
  return {
    secret,
    otpauth_url: totpOf(secret, user.email).toString(),
    encrypted: encrypt(keys, secret, contextOf(user.id)),
  }
}

const secretFor = ({ keys }: Pick<Deps, 'keys'>, user: StoredUser, encrypted: string): string | undefined =>
  decrypt(keys, encrypted, contextOf(user.id))

/** False when it was encrypted under another SECRET. */
export const canDecrypt = (deps: Pick<Deps, 'keys'>, user: StoredUser, encrypted: string): boolean =>
  secretFor(deps, user, encrypted) !== undefined

/** Only after the password was verified. */
const encryptedElsewhere = () =>
  new Problem(
    'second_factor',
    'Codes of this authenticator cannot be checked, because it was set up under another SECRET of this server. Use a recovery code, or have an owner reset the second factor.',
  )

/**
 * The time step that the code belongs to; undefined for a wrong code.
 * @throws Problem('second_factor') when the secret was encrypted under another SECRET.
 */
export function stepOfCode(
  deps: Pick<Deps, 'keys' | 'now'>,
  user: StoredUser,
  encrypted: string,
  code: string,
): number | undefined {
  const secret = secretFor(deps, user, encrypted)
  if (secret === undefined) throw encryptedElsewhere()
  const nowMs = deps.now()
  const away = totpOf(secret).validate({ token: code, timestamp: nowMs, window: STEPS_AROUND })
  return away === null ? undefined : Math.floor(nowMs / 1000 / STEP_SECONDS) + away
}

const RECOVERY_CODES = 10
/** 80 bits: too many for a table of hashes, although they are neither salted nor stretched. */
const RECOVERY_CHARACTERS = 16
/** 32 characters without those that look like others. */
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz0'

const groups = (text: string): string => text.match(/.{1,4}/g)?.join('-') ?? text

/** As typed from paper, where an o can only be a zero. */
const bare = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0')

const recoveryHash = (userId: string, code: string): string => secretHash(`${userId}:${bare(code)}`)

export function newRecoveryCodes(randomBytes: RandomBytes, userId: string): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    groups([...randomBytes(RECOVERY_CHARACTERS)].map((byte) => RECOVERY_ALPHABET[byte % 32]).join('')),
  )
  return { codes, hashes: codes.map((code) => recoveryHash(userId, code)) }
}

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code.replaceAll(' ', ''))

/** Uses the code up. False for a wrong code and for one that was used before. */
export async function passesSecondFactor(
  deps: Pick<Deps, 'records' | 'keys' | 'now'>,
  user: StoredUser,
  code: string,
): Promise<boolean> {
  if (user.totpSecret === null) return true
  if (!isTotpCode(code)) return useRecoveryCode(deps.records, user.id, recoveryHash(user.id, code))
  const step = stepOfCode(deps, user, user.totpSecret, code.replaceAll(' ', ''))
  return step !== undefined && useStep(deps.records, user.id, step)
}
