// What of a contact is searched: the words of a search (kernel/words.ts) must all be somewhere in its texts.
import { searchedText, wordsOf } from '../kernel/words.ts'
import { type Contact, textFields } from './contact-model.ts'

/** The column `search`. Nothing of a deleted contact. */
export function searchText(contact: Contact): string {
  if (contact.state === 'deleted') return ''
  return searchedText(textFields.map((field) => contact[field]).filter((text) => text !== null))
}

/** PostgreSQL takes no NUL, not even to look for it. */
export const searchWords = (text: string): string[] => wordsOf(text.replaceAll('\0', ''))
