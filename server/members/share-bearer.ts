// The signed text that the bearer of a share link gets for half a day. It names the share, which must still
// exist.
import { timingSafeEqual } from 'node:crypto'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { mac } from '../kernel/keys.ts'

const BEARER_SECONDS = 12 * 3_600
const shape = /^ffs_(sh_[0-9A-Za-z]{16,64})\.(\d{1,12})\.([\w-]{43})$/

const proofOf = (keys: Deps['keys'], shareId: string, expiresTs: number): Buffer =>
  mac(keys('share'), shareId, String(expiresTs))

export function makeShareBearer(
  { keys, now }: Pick<Deps, 'keys' | 'now'>,
  shareId: string,
): { access_token: string; expires_ts: number } {
  const expires = currentTs({ now }) + BEARER_SECONDS
  const proof = proofOf(keys, shareId, expires).toString('base64url')
  return { access_token: `ffs_${shareId}.${expires}.${proof}`, expires_ts: expires }
}

/**
 * The id of the share; undefined for a text that was not signed here or has expired. Whether the share still
 * exists is checked elsewhere.
 */
export function readShareBearer({ keys, now }: Pick<Deps, 'keys' | 'now'>, text: string): string | undefined {
  const [, shareId, expires, proof] = shape.exec(text) ?? []
  if (shareId === undefined || expires === undefined || proof === undefined) return undefined
  const isGenuine = timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(keys, shareId, Number(expires)))
  return isGenuine && Number(expires) > now() / 1000 ? shareId : undefined
}
