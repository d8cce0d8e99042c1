// Cleans text from outside for storage: well-formed, without NUL, and within its limit.

/**
 * The first `max` characters as schemas count them, by code point: valid text is never cut, nor a character
 * split.
 */
function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  for (let left = max; left > 0 && end < text.length; left--) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** Lone surrogates become U+FFFD, NUL is removed, the rest is cut to `max` characters (code points). */
export function cleanText(text: string, max: number): string {
  const cut = firstCharacters(text, max)
  // Most texts are clean already, and checking is cheaper than building a new one.
  const withoutNul = cut.includes('\0') ? cut.replaceAll('\0', '') : cut
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}
