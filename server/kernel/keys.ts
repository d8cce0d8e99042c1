// Keys derived from the server's one secret, one per purpose, so that a value made for one use is invalid for
// another.
import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto'

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
  | 'link-pass'
  | 'link-domain'
  | 'upload-link'
  | 'backup'
  | 'fingerprint'

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

/** Bytes of a block of SHA-256, and of its digest. */
const BLOCK = 64
const DIGEST = 32
/** Longer messages get a buffer of their own. */
const SCRATCH = 4096

interface Pads {
  readonly inner: Buffer
  readonly outer: Buffer
}

const padsOfKeys = new WeakMap<KeyObject, Pads>()

/** RFC 2104: the key, filled up to a block, with its bits turned in two ways. */
function padsOf(key: KeyObject): Pads {
  const known = padsOfKeys.get(key)
  if (known) return known
  const secret = key.export()
  const block = Buffer.alloc(BLOCK)
  block.set(secret.length > BLOCK ? hash('sha256', secret, 'buffer') : secret)
  const pads = { inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) } as Pads
  padsOfKeys.set(key, pads)
  return pads
}

// Used within one call, which nothing interrupts.
const innerScratch = Buffer.alloc(SCRATCH)
const outerScratch = Buffer.alloc(BLOCK + DIGEST)

const sizeOf = (part: string | Uint8Array): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

/** Each part after its length. */
function writeParts(message: Buffer, parts: readonly (string | Uint8Array)[]): void {
  let at = BLOCK
  for (const part of parts) {
    const start = at + 4
    if (typeof part === 'string') at = start + message.write(part, start)
    else {
      message.set(part, start)
      at = start + part.length
    }
    message.writeUInt32BE(at - start, start - 4)
  }
}

/**
 * HMAC-SHA256 over the parts, each preceded by its length, so that no two lists of parts share an input. As
 * two hashes: an object for the MAC costs more than hashing so few bytes twice.
 */
export function mac(key: KeyObject, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const { inner, outer } = padsOf(key)
  const size = parts.reduce((sum, part) => sum + 4 + sizeOf(part), BLOCK)
  const message = size <= SCRATCH ? innerScratch.subarray(0, size) : Buffer.allocUnsafeSlow(size)
  message.set(inner)
  writeParts(message, parts)
  outerScratch.set(outer)
  outerScratch.set(hash('sha256', message, 'buffer'), BLOCK)
  return hash('sha256', outerScratch, 'buffer')
}
