// Cleans collected text for the store: bounded, well formed, without control characters.

/** Longest URL stored, in UTF-16 units: what browsers and proxies support. */
export const MAX_URL_LENGTH = 2048
/** Longest single value stored (UTM values, names, regions). */
export const MAX_VALUE_LENGTH = 255

// Control characters are what must go: NUL breaks C clients, the others break terminals and logs.
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]+/g

/** At most `limit` UTF-16 units, trimmed, no control characters, no lone surrogates. Never throws. */
export function cleanText(text: string, limit: number): string {
  const whole = text.length > limit * 4 ? text.slice(0, limit * 4) : text
  return cut(whole.replace(controls, ' ').trim(), limit).toWellFormed()
}

/** Cuts between characters: half a surrogate pair at the end would become a replacement character. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
