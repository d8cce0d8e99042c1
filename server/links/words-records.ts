// What a word of a search is found in: name, code, destination, UTM values, tags and notes, whatever their
// capitals.
import { sql } from 'kysely'
import { searchedText } from '../kernel/words.ts'
import { contains } from '../stores/lists.ts'
import { type Link, utmNames } from './link-model.ts'

const onlyAscii = /^\p{ASCII}*$/u
/** As JSON has them, so that what is stored is what is searched. */
const plainValue = /^[ !#-[\]-~]*$/

/** The column `search`: null where the database's own small letters are enough, as of most links. */
export function searchText({
  name,
  code,
  destination_url,
  utm,
  tags,
  notes,
}: Pick<Link, 'name' | 'code' | 'destination_url' | 'utm' | 'tags' | 'notes'>) {
  const texts = [name ?? '', code, destination_url]
  const values = Object.values(utm)
  const isPlain = texts.every((text) => onlyAscii.test(text)) && values.every((value) => plainValue.test(value))
  return isPlain && tags.length === 0 && notes === null
    ? null
    : searchedText([...texts, ...values, ...tags, notes ?? ''])
}

/** The stored UTM values without their names: `{"utm_source":"letter"}` → `{ letter }`. */
const utmValues = utmNames.reduce(
  (rest, name) => sql<string>`replace(${rest}, ${sql.lit(`"${name}":"`)}, ' ')`,
  sql<string>`utm`,
)

const searched = sql<string>`coalesce(search, lower(coalesce(name, '') || ' ' || code || ' ' || destination_url))
  || case when utm = '{}' then '' else lower(replace(${utmValues}, '"', ' ')) end`

/** @param word of wordsOf. */
export const holds = (word: string) => contains(searched, word)

/** Lists of tags are JSON, in which a tag stands between quotes. */
export const hasTag = (tag: string) => contains(sql<string>`coalesce(tags, '')`, JSON.stringify(tag))
