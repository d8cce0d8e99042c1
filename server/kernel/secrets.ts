// Ids, keys and tokens: random, of one alphabet, each with a prefix that says what it is.
import { hash } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/**
 * The largest multiple of 62 in a byte: larger bytes are discarded, or the first letters would be more likely
 * than the last.
 */
const FAIR = 248

export type RandomBytes = (bytes: number) => Buffer

export function randomText(randomBytes: RandomBytes, length: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length - text.length)) if (byte < FAIR) text += alphabet[byte % alphabet.length]!
  return text
}

/** 119 bits: no two records of an installation ever get the same id. */
const ID_LENGTH = 20

/** `se_…`: an id, or another public key, of the kind that the prefix names. */
export const newId = ({ randomBytes }: { readonly randomBytes: RandomBytes }, prefix: string): string =>
  `${prefix}_${randomText(randomBytes, ID_LENGTH)}`

/**
 * The stored form of a secret: SHA-256, hex. Neither salted nor stretched: the secrets are random, not
 * chosen.
 */
export const secretHash = (secret: string): string => hash('sha256', secret)
