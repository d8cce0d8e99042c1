// Arbitrary texts for property tests.
import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800
const LAST_CODE_POINT = 0x10ffff

/**
 * Every code point but the halves of pairs, for `fc.string({ unit })`: as its `binary`, whose table of a
 * million characters takes a second to make.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(LAST_CODE_POINT - SURROGATES)
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES))
