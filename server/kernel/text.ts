// Text from outside made fit to store: well-formed, without NUL, and not longer than its column is meant to hold.

/** Lone surrogates become U+FFFD, NUL is left out, the rest is cut to `max` UTF-16 units. */
export function cleanText(text: string, max: number): string {
  const cut = text.length > max ? text.slice(0, max) : text
  // Most texts are clean already, and looking is cheaper than building a new one.
  const withoutNul = cut.includes('\0') ? cut.replaceAll('\0', '') : cut
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed()
}
