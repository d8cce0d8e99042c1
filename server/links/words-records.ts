// What a word of a search is found in: name, code and destination, whatever their capitals.
import { sql } from 'kysely'
import { searchedText } from '../kernel/words.ts'
import { contains } from '../stores/lists.ts'
import type { Link } from './link-model.ts'

const onlyAscii = /^\p{ASCII}*$/u

/** The column `search`: null where the database's own small letters are enough, as of most links. */
export function searchText({ name, code, destination_url }: Pick<Link, 'name' | 'code' | 'destination_url'>) {
  const texts = [name ?? '', code, destination_url]
  return texts.every((text) => onlyAscii.test(text)) ? null : searchedText(texts)
}

const searched = sql<string>`coalesce(search, lower(coalesce(name, '') || ' ' || code || ' ' || destination_url))`

/** @param word of wordsOf. */
export const holds = (word: string) => contains(searched, word)
