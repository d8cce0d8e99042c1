// The word search of all lists: every word must occur, regardless of case.

/** What lower case leaves of a Turkish İ: an i with a second dot. */
const DOTTED_I = /i\u0307/g

/**
 * Normalises letters that look the same, in texts and in searches. A capital sigma does not tell whether it
 * ends a word, so both small ones count as one. Accents matter.
 */
const folded = (text: string): string =>
  text.toWellFormed().toLowerCase().normalize('NFC').replace(DOTTED_I, 'i').replaceAll('ς', 'σ')

/** Each once; none for a blank text. */
export const wordsOf = (search: string): string[] => [...new Set(folded(search).split(/\s+/))].filter(Boolean)

/** For a search column: one text per line, so that no word matches across two of them. */
export const searchedText = (texts: readonly string[]): string =>
  texts.map((text) => folded(text).replace(/\s+/g, ' ')).join('\n')

/** For `like … escape '\\'`: finds the text anywhere, its wildcards taken as plain characters. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Each word occurs in one of the texts. @param words of wordsOf. */
export function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  const all = searchedText(texts)
  return words.every((word) => all.includes(word))
}
