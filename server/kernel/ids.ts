// Signed ids of sessions and views: a node that has SECRET verifies one without a look-up.
// A session id is base32 of (day, session hash, MAC), a view id of (day, session hash, view number, MAC).
// Both are a multiple of five bytes long, so that each id has exactly one spelling.
import { timingSafeEqual, type KeyObject } from 'node:crypto'
import { type Keys, mac } from './keys.ts'

/** A session within its property: the UTC day (days since 1970-01-01) and the 64-bit hash of its visitor. */
export interface SessionRef {
  readonly day: number
  readonly hash: bigint
}

export interface ViewRef extends SessionRef {
  /** Unsigned 32-bit, unique within the session. */
  readonly view: number
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford's base32, lower case
const digits = new Map([...alphabet].map((letter, value) => [letter, value]))

export interface SignedIdLengths {
  readonly bodyBytes: number
  readonly macBytes: number
}

// MACs of 80 and 88 bits: at the public rate limit, guessing one would take longer than the universe has
// existed.
const sessionLengths: SignedIdLengths = { bodyBytes: 10, macBytes: 10 }
const viewLengths: SignedIdLengths = { bodyBytes: 14, macBytes: 11 }

function toBase32(bytes: Buffer): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 5) {
    const high = bytes.readUInt32BE(i)
    const low = bytes[i + 4]!
    text +=
      alphabet[high >>> 27]! +
      alphabet[(high >>> 22) & 31]! +
      alphabet[(high >>> 17) & 31]! +
      alphabet[(high >>> 12) & 31]! +
      alphabet[(high >>> 7) & 31]! +
      alphabet[(high >>> 2) & 31]! +
      alphabet[((high & 3) << 3) | (low >>> 5)]! +
      alphabet[low & 31]!
  }
  return text
}

function fromBase32(text: string, bytes: number): Buffer | undefined {
  if (text.length !== (bytes / 5) * 8) return undefined
  const out = Buffer.alloc(bytes)
  let bits = 0
  let pending = 0
  let at = 0
  for (const letter of text) {
    const value = digits.get(letter)
    if (value === undefined) return undefined
    pending = (pending << 5) | value
    bits += 5
    if (bits >= 8) {
      bits -= 8
      out[at++] = (pending >>> bits) & 255
      pending &= (1 << bits) - 1
    }
  }
  return out
}

/**
 * A signed id: anybody can read `body` in it, and it is valid for `scope` alone.
 * @param scope the property first, and whatever else the id belongs to.
 * @param macBytes together with the body a multiple of five.
 */
export function signId(key: KeyObject, scope: readonly string[], body: Buffer, macBytes: number): string {
  return toBase32(Buffer.concat([body, mac(key, ...scope, body).subarray(0, macBytes)]))
}

/** The body of the id; undefined unless `signId` made the id with the same key for the same scope. */
export function verifyId(
  key: KeyObject,
  scope: readonly string[],
  id: string,
  { bodyBytes, macBytes }: SignedIdLengths,
): Buffer | undefined {
  const bytes = fromBase32(id, bodyBytes + macBytes)
  if (!bytes) return undefined
  const body = bytes.subarray(0, bodyBytes)
  const expected = mac(key, ...scope, body).subarray(0, macBytes)
  // In constant time: otherwise the time of an answer would tell how many bytes of a guess are right.
  return timingSafeEqual(expected, bytes.subarray(bodyBytes)) ? body : undefined
}

function writeSession(body: Buffer, session: SessionRef): Buffer {
  body.writeUInt16BE(session.day)
  body.writeBigUInt64BE(session.hash, 2)
  return body
}

/** 32 characters. */
export function sessionId(keys: Keys, propertyId: string, session: SessionRef): string {
  const body = writeSession(Buffer.alloc(sessionLengths.bodyBytes), session)
  return signId(keys('session-id'), [propertyId], body, sessionLengths.macBytes)
}

/** 40 characters. */
export function viewId(keys: Keys, propertyId: string, view: ViewRef): string {
  const body = writeSession(Buffer.alloc(viewLengths.bodyBytes), view)
  body.writeUInt32BE(view.view, sessionLengths.bodyBytes)
  return signId(keys('view-id'), [propertyId], body, viewLengths.macBytes)
}

/** False for a text that no server can have issued as a session id. */
export function hasSessionIdShape(id: string): boolean {
  return fromBase32(id, sessionLengths.bodyBytes + sessionLengths.macBytes) !== undefined
}

/**
 * Undefined unless this server's secret made the id for this property. A genuine id means that the session
 * exists.
 */
export function readSessionId(keys: Keys, propertyId: string, id: string): SessionRef | undefined {
  const body = verifyId(keys('session-id'), [propertyId], id, sessionLengths)
  return body && { day: body.readUInt16BE(), hash: body.readBigUInt64BE(2) }
}

/** Undefined unless this server's secret made the id for this property. */
export function readViewId(keys: Keys, propertyId: string, id: string): ViewRef | undefined {
  const body = verifyId(keys('view-id'), [propertyId], id, viewLengths)
  if (!body) return undefined
  return { day: body.readUInt16BE(), hash: body.readBigUInt64BE(2), view: body.readUInt32BE(sessionLengths.bodyBytes) }
}
