// Encrypts texts that have to be read again, under SECRET: AES-256-GCM (NIST SP 800-38D).
// A text that was encrypted for one record is decrypted for no other.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keys } from './keys.ts'

const ALGORITHM = 'aes-256-gcm'
/** The first byte of what is stored, so that a later format can be told apart. */
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES

/**
 * The nonce comes from the system itself and not from deps: the fixed chance of a test would repeat it,
 * and a nonce that is used twice reveals the key.
 * @param context what the text belongs to; needed again to decrypt it.
 * @returns base64url of version, nonce, tag and cipher text.
 */
export function encrypt(keys: Keys, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, keys('encryption'), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Undefined when it was encrypted under another SECRET or for another context, or has been changed. */
export function decrypt(keys: Keys, encrypted: string, context: string): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, keys('encryption'), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES))
  try {
    return decipher.update(bytes.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
