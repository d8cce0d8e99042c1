// Texts that have to be read again, kept encrypted under SECRET: AES-256-GCM (NIST SP 800-38D). What was sealed for one record opens for no other.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keys } from './keys.ts'

const ALGORITHM = 'aes-256-gcm'
/** Of the form below, so that another one can be told apart one day. */
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES

/**
 * base64url of version, nonce, tag and cipher text. The nonce comes from the system itself and not from deps: one that comes twice,
 * as from a clock or chance that a test holds still, would give the key away.
 * @param context what the text belongs to; needed again to open it.
 */
export function seal(keys: Keys, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, keys('encryption'), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined when it was sealed under another SECRET, for another context, or was changed since. */
export function unseal(keys: Keys, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
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
