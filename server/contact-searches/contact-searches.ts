// Searches of contacts that are saved under a name: a person's own, or everybody's in the property.
import { userIdOf } from '../http/auth.ts'
import { ownerOf, type Saver } from '../http/savers.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { cleanText } from '../kernel/text.ts'
import { orNotFound } from '../stores/gone.ts'
import {
  countSearches,
  deleteSearch,
  insertSearch,
  listSearchRows,
  type SavedSearch,
  type SearchQuery,
} from './records.ts'

const MAX_NAME = 80
/** Of everybody in a property together: more cannot be told apart in a menu. */
const MAX_SEARCHES = 300

export const searchJson = ({ id, name, query, user_id }: SavedSearch) => ({
  id,
  name,
  query,
  is_shared: user_id === null,
})

export const listSearches = async ({ records }: Pick<Deps, 'records'>, { propertyId, caller }: Saver) =>
  (await listSearchRows(records, propertyId, userIdOf(caller))).map(searchJson)

const forAll = (isForAll: boolean) => ({ isForAll, field: 'is_shared', nouns: ['search', 'Searches'] as const })

function readName(written: string): string {
  const name = cleanText(written.replaceAll(/\s+/g, ' '), MAX_NAME + 1).trim()
  if (name === '' || [...name].length > MAX_NAME || /\p{Cc}/u.test(name))
    throw invalid('name', `name must have 1 to ${MAX_NAME} characters in one line.`)
  return name
}

/** What is empty filters nothing. */
const readQuery = (query: Readonly<Record<string, string | undefined>>): SearchQuery =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value ? [[name, cleanText(value.replaceAll('\0', ''), 255)]] : [],
    ),
  )

interface SearchInput {
  readonly name: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly is_shared?: boolean
}

/** @throws Problem: insufficient_scope; validation_failed; not_found when the property is gone. */
export async function saveSearch(
  deps: Pick<Deps, 'records' | 'now' | 'randomBytes'>,
  saver: Saver,
  { name, query, is_shared = false }: SearchInput,
): Promise<SavedSearch> {
  const search = {
    id: newId(deps, 'cq'),
    property_id: saver.propertyId,
    user_id: ownerOf(saver, forAll(is_shared)),
    name: readName(name),
    query: readQuery(query),
    created_ms: deps.now(),
  }
  const insert = deps.records.transaction().execute(async (tx) => {
    if ((await countSearches(tx, saver.propertyId)) >= MAX_SEARCHES)
      throw invalid('name', `A property may have at most ${MAX_SEARCHES} saved searches: delete one first.`)
    await insertSearch(tx, search)
  })
  await orNotFound(insert, propertyNotFound)
  return search
}

/** @throws Problem: not_found, also for one of another person; insufficient_scope. */
export async function removeSearch({ records }: Pick<Deps, 'records'>, saver: Saver, id: string): Promise<void> {
  const notFound = () => new Problem('not_found', 'The saved search is not in this property.')
  const found = (await listSearchRows(records, saver.propertyId, userIdOf(saver.caller))).find((one) => one.id === id)
  if (!found) throw notFound()
  ownerOf(saver, forAll(found.user_id === null))
  if (!(await deleteSearch(records, saver.propertyId, id))) throw notFound()
}
