// What a word of a search is found in: no column of its own, no index.
import { sql } from 'kysely'

/** LIKE without its wildcards. */
const likeText = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

const searched = sql<string>`coalesce(name, '') || ' ' || code || ' ' || destination_url`

/** As it is written or in small letters: SQLite knows the case of ASCII alone. */
export const holds = (word: string) =>
  sql<boolean>`(lower(${searched}) like ${likeText(word.toLowerCase())} escape '\\' or ${searched} like ${likeText(word)} escape '\\')`
