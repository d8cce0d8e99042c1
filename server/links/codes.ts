// The codes of short links: random, and readable from paper. Nothing that a person typed is ever part of one.
import type { RandomBytes } from '../kernel/secrets.ts'

/** Base62 without what looks like something else: 0 O o, 1 l I i. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'

/** 1.5 million million codes: with a million links, of 1.5 million guesses one finds a link. */
export const CODE_LENGTH = 7

/**
 * The largest multiple of the alphabet in a byte: bytes from there on are thrown away, or the first letters
 * would be the more likely ones.
 */
const FAIR = 256 - (256 % CODE_ALPHABET.length)

export function randomCode(randomBytes: RandomBytes): string {
  let code = ''
  while (code.length < CODE_LENGTH)
    for (const byte of randomBytes(CODE_LENGTH - code.length))
      if (byte < FAIR) code += CODE_ALPHABET[byte % CODE_ALPHABET.length]!
  return code
}

const codeShape = /^[\w-]{1,64}$/

/**
 * Anything else needs no look-up. Wider than what is made today, so that codes brought from elsewhere would
 * be found.
 */
export const isCode = (text: string): boolean => codeShape.test(text)
