// ULIDs (github.com/ulid/spec): 48 bits of milliseconds and 80 random ones in Crockford's base32, so that
// their texts sort by time.
import type { Deps } from './deps.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LETTERS = 10
const RANDOM_LETTERS = 16
const RANDOM_BYTES = 10

function letters(value: bigint, count: number): string {
  let text = ''
  for (let left = value, at = 0; at < count; at++, left >>= 5n) text = alphabet[Number(left & 31n)]! + text
  return text
}

/**
 * Each is larger than the previous one of the same generator, even within a millisecond and when the clock is
 * set back.
 */
export function openUlids({ now, randomBytes }: Pick<Deps, 'now' | 'randomBytes'>): () => string {
  let lastMs = -1
  let random = 0n
  return () => {
    const ms = now()
    if (ms > lastMs) {
      lastMs = ms
      // The highest bit stays free: counting up within a millisecond never overflows.
      random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`) >> 1n
    } else random += 1n
    return letters(BigInt(lastMs), TIME_LETTERS) + letters(random, RANDOM_LETTERS)
  }
}
