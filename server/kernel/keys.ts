// Keys derived from the server's one secret, one per purpose, so that a value made for one use is invalid for
// another.
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

export type KeyPurpose =
  | 'session-id'
  | 'view-id'
  | 'encryption'
  | 'form-visitor'
  | 'form-answers'
  | 'content-request'
  | 'account-setup'
  | 'sign-in-limit'
  | 'share'

/** The derived key of a purpose: 32 bytes (HKDF-SHA256, RFC 5869), cached. */
export type Keys = (purpose: KeyPurpose) => KeyObject

/** @param secret at least 32 characters; the same on all nodes of one installation. */
export function openKeys(secret: string): Keys {
  const made = new Map<KeyPurpose, KeyObject>()
  return (purpose) => {
    let key = made.get(purpose)
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'footfall', purpose, 32)))
      made.set(purpose, key)
    }
    return key
  }
}

/** HMAC-SHA256 over the parts, each preceded by its length, so that no two lists of parts share an input. */
export function mac(key: KeyObject, ...parts: readonly (string | Uint8Array)[]): Buffer {
  // The parts are joined into one update: each call into the engine costs more than hashing so few bytes.
  const pieces = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    const length = Buffer.allocUnsafe(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  return createHmac('sha256', key).update(Buffer.concat(pieces)).digest()
}
