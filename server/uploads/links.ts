// Links to files for who cannot sign in: receivers of webhooks. Signed, and good for a week.
import { verifyId, signId } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'

const LINK_SECONDS = 7 * 86_400
const lengths = { bodyBytes: 5, macBytes: 10 }
const linkShape = /^(up_[0-9A-Za-z]{20})\.([0-9a-z]{24})$/

export function fileLink(baseUrl: string, keys: Keys, id: string, nowMs: number): string {
  const body = Buffer.alloc(lengths.bodyBytes)
  body.writeUIntBE(Math.floor(nowMs / 1000) + LINK_SECONDS, 0, lengths.bodyBytes)
  return `${baseUrl}/uploads/${id}.${signId(keys('upload-link'), [id], body, lengths.macBytes)}`
}

/** The id of the file; undefined for a link that is none of ours, or has expired. */
export function readFileLink(keys: Keys, text: string, nowMs: number): string | undefined {
  const [, id, signed] = linkShape.exec(text) ?? []
  if (id === undefined || signed === undefined) return undefined
  const body = verifyId(keys('upload-link'), [id], signed, lengths)
  return body && body.readUIntBE(0, lengths.bodyBytes) * 1000 > nowMs ? id : undefined
}
