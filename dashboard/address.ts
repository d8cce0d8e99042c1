// Addresses of pages as their readers write them. They are collected and kept percent-encoded; what is shown
// is decoded as far as that is safe and can still be told apart from another address, and what is filtered by
// stays as it is kept.

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What cannot be seen, or moves what stands beside it: controls, marks of direction, blanks, parts of no
 * character. Joiners and variation selectors are none of these: Persian words and many emoji are written with
 * them.
 */
const hidden = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u
const joiners: ReadonlySet<string> = new Set(['\u200C', '\u200D', '\uFE0E', '\uFE0F'])
const isShown = (character: string): boolean => !hidden.test(character) || joiners.has(character)

/**
 * What separates the parts of an address. Decoded, `%2F` would be another path, and `%25` the beginning of
 * another escape.
 */
const separators = new Set(';/?:@&=+$,#%')
/** With the sign before it, a digit would make an escape of what is none. */
const isHalfEscape = /%[\da-f]?$/i

/** How many bytes a character of UTF-8 has, by its first one. */
const lengthOf = (first: number): number => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)

/** The character that escapes spell from there on; undefined where they spell none. */
function characterAt(bytes: Uint8Array, at: number): string | undefined {
  const length = lengthOf(bytes[at] ?? 0)
  if (at + length > bytes.length) return undefined
  try {
    return utf8.decode(bytes.subarray(at, at + length))
  } catch {
    return undefined
  }
}

const mayStand = (character: string, before: string): boolean =>
  isShown(character) && !separators.has(character) && !(isHalfEscape.test(before) && /[\da-f]/i.test(character))

/** @param escapes `%C3%A9%2F`: nothing but escapes. @param before what is shown in front of them. */
function decoded(escapes: string, before: string): string {
  const bytes = Uint8Array.from(escapes.match(/[^%]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16))
  let shown = ''
  for (let at = 0; at < bytes.length;) {
    const character = characterAt(bytes, at)
    const length = character === undefined ? 1 : lengthOf(bytes[at] ?? 0)
    const isFit = character !== undefined && mayStand(character, before + shown)
    shown += isFit ? character : escapes.slice(at * 3, (at + length) * 3)
    at += length
  }
  return shown
}

const escaped = (character: string): string => encodeURIComponent(character.toWellFormed())

/**
 * A path or an address as people read it: `/%C3%BCber%2Funs` is `/über%2Funs`. Broken escapes stay as they
 * are. What cannot be seen is shown by its escapes, so that two addresses that differ look different.
 */
export function shownAddress(address: string): string {
  let shown = ''
  for (const [part] of address.matchAll(/(?:%[\da-f]{2})+|[^%]+|%/giu)) {
    const isEscapes = part.length > 1 && part.startsWith('%')
    shown += isEscapes
      ? decoded(part, shown)
      : Array.from(part, (each) => (isShown(each) ? each : escaped(each))).join('')
  }
  return shown
}

/**
 * What a person typed in search of an address, as addresses are kept: letters beyond ASCII and blanks are
 * encoded, nothing else is.
 */
export const keptAddress = (typed: string): string => typed.toWellFormed().replaceAll(/[^!-~]/gu, encodeURIComponent)

/** The lists and clauses whose values are paths. */
const ofPaths: ReadonlySet<string> = new Set(['entry_path_full', 'exit_path_full', 'page_path'])

export const isPathId = (id: string): boolean => ofPaths.has(id)

/**
 * Kept apart from the words around it, whichever way they run. For words alone: where there is room for
 * elements, Address isolates.
 */
export const isolated = (words: string): string => (/^[ -~]*$/.test(words) ? words : `\u2068${words}\u2069`)
