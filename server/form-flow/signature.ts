// The signature header of the form flow (docs/api/forms.md). Anybody can compute it: it keeps out blind
// posts, and proves nothing.

const DAY_MS = 86_400_000

/** `h = h * 31 + c` over the UTF-16 code units, wrapped to 32 bits. */
function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash >>> 0
}

/**
 * The signature with `key` (of the form at init, the token after it) on the UTC day of `atMs`: an unsigned
 * 32-bit integer in decimal.
 */
export function signatureOf(key: string, atMs: number): string {
  const day = new Date(atMs)
  return String(hashOf(`${String(day.getUTCFullYear()).padStart(4, '0')}${key}${day.getUTCDate()}`))
}

/** Whether `text` is exactly the signature of today or yesterday, UTC. */
export function isSignature(text: string | undefined, key: string, nowMs: number): boolean {
  return text === signatureOf(key, nowMs) || text === signatureOf(key, nowMs - DAY_MS)
}
