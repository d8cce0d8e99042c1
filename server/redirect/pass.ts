// What a visitor holds who has given the password of a link: a signed text that any node can check, good for
// this link, this password and a quarter of an hour.
import { signId, type SignedIdLengths, verifyId } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'
import type { Target } from './memory.ts'

export const PASS_SECONDS = 15 * 60
/** Body and MAC together are a multiple of five bytes. */
const lengths: SignedIdLengths = { bodyBytes: 5, macBytes: 15 }

export type Locked = Pick<Target, 'linkId'> & { readonly password: string }

const scopeOf = ({ linkId, password }: Locked): readonly string[] => [linkId, password]

export function signPass(keys: Keys, link: Locked, nowMs: number): string {
  const body = Buffer.alloc(lengths.bodyBytes)
  body.writeUIntBE(Math.floor(nowMs / 1000) + PASS_SECONDS, 0, lengths.bodyBytes)
  return signId(keys('link-pass'), scopeOf(link), body, lengths.macBytes)
}

export function isPass(keys: Keys, link: Locked, pass: string | undefined, nowMs: number): boolean {
  const body = pass === undefined ? undefined : verifyId(keys('link-pass'), scopeOf(link), pass, lengths)
  return body !== undefined && nowMs / 1000 < body.readUIntBE(0, lengths.bodyBytes)
}
