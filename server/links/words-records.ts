// What a word of a search is found in: name, code, destination, tags and notes, whatever their capitals.
import { sql } from 'kysely'
import { searchedText } from '../kernel/words.ts'
import { contains } from '../stores/lists.ts'
import type { Link } from './link-model.ts'

const onlyAscii = /^\p{ASCII}*$/u

/** The column `search`: null where the database's own small letters are enough, as of most links. */
export function searchText({
  name,
  code,
  destination_url,
  tags,
  notes,
}: Pick<Link, 'name' | 'code' | 'destination_url' | 'tags' | 'notes'>) {
  const texts = [name ?? '', code, destination_url]
  const isPlain = tags.length === 0 && notes === null && texts.every((text) => onlyAscii.test(text))
  return isPlain ? null : searchedText([...texts, ...tags, notes ?? ''])
}

const searched = sql<string>`coalesce(search, lower(coalesce(name, '') || ' ' || code || ' ' || destination_url))`

/** @param word of wordsOf. */
export const holds = (word: string) => contains(searched, word)

/** Lists of tags are JSON, in which a tag stands between quotes. */
export const hasTag = (tag: string) => contains(sql<string>`coalesce(tags, '')`, JSON.stringify(tag))
