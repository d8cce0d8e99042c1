// Request ids: render issues them and track accepts them. They are signed ids that name one render: its
// visitor and time. Base32 of (session day, session hash, nonce, time, phase, MAC), valid for one property,
// block and version.
import { signId, type SessionRef, verifyId } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'

/** What a request id is valid for. */
export interface RequestScope {
  readonly propertyId: string
  readonly blockId: string
  readonly versionId: string
}

/** One render of a block. */
export interface ContentRequest extends SessionRef {
  /** Unsigned 64-bit, unique per render. */
  readonly nonce: bigint
  /** Milliseconds, kept in whole seconds. */
  readonly issuedMs: number
  /** Of the block at that time; below 2^24, which no number of edits reaches. */
  readonly phase: number
}

/** Together 35 bytes, so 56 characters; the MAC has 80 bits, as that of session ids. */
const lengths = { bodyBytes: 25, macBytes: 10 }

const scopeOf = ({ propertyId, blockId, versionId }: RequestScope): string[] => [propertyId, blockId, versionId]

export function requestId(keys: Keys, scope: RequestScope, request: ContentRequest): string {
  const body = Buffer.alloc(lengths.bodyBytes)
  body.writeUInt16BE(request.day)
  body.writeBigUInt64BE(request.hash, 2)
  body.writeBigUInt64BE(request.nonce, 10)
  body.writeUInt32BE(Math.floor(request.issuedMs / 1000), 18)
  body.writeUIntBE(request.phase, 22, 3)
  return signId(keys('content-request'), scopeOf(scope), body, lengths.macBytes)
}

/**
 * Undefined unless this server's secret made the id for this property, block and version. The caller checks
 * its age.
 */
export function readRequestId(keys: Keys, scope: RequestScope, id: string): ContentRequest | undefined {
  const body = verifyId(keys('content-request'), scopeOf(scope), id, lengths)
  return (
    body && {
      day: body.readUInt16BE(),
      hash: body.readBigUInt64BE(2),
      nonce: body.readBigUInt64BE(10),
      issuedMs: body.readUInt32BE(18) * 1000,
      phase: body.readUIntBE(22, 3),
    }
  )
}
