// The signing secret of an automation: created here, shown once, stored encrypted, and after a rotation valid
// for a while beside the new one.
import type { Deps } from '../kernel/deps.ts'
import type { Keys } from '../kernel/keys.ts'
import { decrypt, encrypt } from '../kernel/encryption.ts'
import { randomText } from '../kernel/secrets.ts'
import type { SealedSecrets } from './records.ts'

/** 238 bits. */
const SECRET_LENGTH = 40

export interface NewSecret {
  /** `whsec_…`: for the owner, once. */
  readonly signingSecret: string
  /** For the records. */
  readonly sealed: string
}

/** @param automationId to which it is bound: copied to another row, it opens nothing. */
export function newSecret({ keys, randomBytes }: Pick<Deps, 'keys' | 'randomBytes'>, automationId: string): NewSecret {
  const signingSecret = `whsec_${randomText(randomBytes, SECRET_LENGTH)}`
  return { signingSecret, sealed: encrypt(keys, signingSecret, automationId) }
}

function opened(keys: Keys, sealed: string, automationId: string): string {
  const secret = decrypt(keys, sealed, automationId)
  if (secret === undefined)
    throw new Error(`the signing secret of ${automationId} was made under another SECRET: rotate it`)
  return secret
}

/**
 * The secrets that sign now: the new one, and until its time is over the one before.
 * @throws Error when SECRET is not that under which they were made.
 */
export function secretsOf(keys: Keys, row: SealedSecrets, nowTs: number): string[] {
  const current = opened(keys, row.secret, row.id)
  const isInOverlap = row.previous_until_ts !== null && nowTs < row.previous_until_ts
  return row.previous_secret !== null && isInOverlap ? [current, opened(keys, row.previous_secret, row.id)] : [current]
}
