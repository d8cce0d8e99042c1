// The search over lists that are short enough to be looked through one by one: words that must all be there, whatever their capitals.

/** One spelling for what looks the same. */
const folded = (text: string): string => text.toWellFormed().normalize('NFC').toLowerCase()

/** None for a text of blanks. */
export const wordsOf = (search: string): string[] => folded(search).split(/\s+/).filter(Boolean)

/** Each word is in one of the texts. @param words of wordsOf. */
export function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  const all = folded(texts.join('\n'))
  return words.every((word) => all.includes(word))
}
