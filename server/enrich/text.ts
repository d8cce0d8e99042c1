// Collected text on its way into the store: bounded, well formed, without control characters.

/** Longest URL kept, in UTF-16 units: what browsers and proxies agree to carry. */
export const MAX_URL_LENGTH = 2048
/** Longest single value kept (UTM values, names, regions). */
export const MAX_VALUE_LENGTH = 255

// oxlint-disable-next-line no-control-regex -- control characters are exactly what must go: NUL breaks C clients, the others break terminals and logs
const controls = /[\u0000-\u001f\u007f]+/g

/** At most `limit` UTF-16 units, trimmed, no control characters, no lone surrogates. Never throws. */
export function cleanText(text: string, limit: number): string {
  const whole = text.length > limit * 4 ? text.slice(0, limit * 4) : text
  return cut(whole.replace(controls, ' ').trim(), limit).toWellFormed()
}

/** Cuts between characters: half a surrogate pair at the end would turn into a replacement character. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
