// The search for words, wherever there is one: all of them must be there, whatever their capitals.

/** What is left of a Turkish İ in lower case: an i with a second dot. */
const DOTTED_I = /i\u0307/g

/**
 * One spelling for what looks the same; the same for what is searched and what is searched for. A capital sigma cannot know whether it ends
 * a word, so both small ones are one. Accents count.
 */
const folded = (text: string): string =>
  text.toWellFormed().toLowerCase().normalize('NFC').replace(DOTTED_I, 'i').replaceAll('ς', 'σ')

/** Each once; none for a text of blanks. */
export const wordsOf = (search: string): string[] => [...new Set(folded(search).split(/\s+/))].filter(Boolean)

/** For a column that is searched: a text a line, so that no word is found across two of them. */
export const searchedText = (texts: readonly string[]): string =>
  texts.map((text) => folded(text).replace(/\s+/g, ' ')).join('\n')

/** Each word is in one of the texts. @param words of wordsOf. */
export function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  const all = searchedText(texts)
  return words.every((word) => all.includes(word))
}
