// What of a contact is searched, and how: the words of a search must all be somewhere in its texts, whatever their case.
import { type Contact, textFields } from './contact.ts'

/** What is left of a Turkish İ in lower case: an i with a second dot. */
const DOTTED_I = /i\u0307/g

/**
 * One spelling for what looks the same; the same for what is searched and what is searched for. A capital sigma cannot know whether it ends
 * a word, so both small ones are one. Accents count.
 */
const folded = (text: string) => text.toLowerCase().normalize('NFC').replace(DOTTED_I, 'i').replaceAll('ς', 'σ')

/** The column `search`: a field a line, so that no word is found across two of them. Nothing of a deleted contact. */
export function searchText(contact: Contact): string {
  if (contact.state === 'deleted') return ''
  const texts = textFields.map((field) => contact[field]).filter((text) => text !== null)
  return texts.map((text) => folded(text).replace(/\s+/g, ' ')).join('\n')
}

/** Each once; none for a text of blanks. */
export function searchWords(text: string): string[] {
  return [...new Set(folded(text.replaceAll('\0', '').toWellFormed()).split(/\s+/))].filter((word) => word !== '')
}
