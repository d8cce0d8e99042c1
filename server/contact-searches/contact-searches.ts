// Searches of contacts that are saved under a name: a person's own, or everybody's in the property.
import { type Member, userIdOf } from '../http/auth.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { isAtLeast, type Role } from '../kernel/roles.ts'
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

/** Who asks, in which property. */
export interface Asker {
  readonly propertyId: string
  readonly caller: Member
  readonly role: Role
}

export const searchJson = ({ id, name, query, user_id }: SavedSearch) => ({
  id,
  name,
  query,
  is_shared: user_id === null,
})

export const listSearches = async ({ records }: Pick<Deps, 'records'>, { propertyId, caller }: Asker) =>
  (await listSearchRows(records, propertyId, userIdOf(caller))).map(searchJson)

/** Whose it is. @throws Problem: insufficient_scope; validation_failed */
function ownerOf({ caller, role }: Asker, isShared: boolean): string | null {
  if (isShared && !isAtLeast(role, 'admin'))
    throw new Problem('insufficient_scope', 'Searches for everybody need the role admin in the property.')
  const userId = userIdOf(caller)
  if (!isShared && userId === null) throw invalid('is_shared', 'Only a person can have a search of their own.')
  return isShared ? null : userId
}

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
  asker: Asker,
  { name, query, is_shared = false }: SearchInput,
): Promise<SavedSearch> {
  const search = {
    id: newId(deps, 'cq'),
    property_id: asker.propertyId,
    user_id: ownerOf(asker, is_shared),
    name: readName(name),
    query: readQuery(query),
    created_ms: deps.now(),
  }
  const insert = deps.records.transaction().execute(async (tx) => {
    if ((await countSearches(tx, asker.propertyId)) >= MAX_SEARCHES)
      throw invalid('name', `A property may have at most ${MAX_SEARCHES} saved searches: delete one first.`)
    await insertSearch(tx, search)
  })
  await orNotFound(insert, propertyNotFound)
  return search
}

/** @throws Problem: not_found, also for one of another person; insufficient_scope. */
export async function removeSearch({ records }: Pick<Deps, 'records'>, asker: Asker, id: string): Promise<void> {
  const notFound = () => new Problem('not_found', 'The saved search is not in this property.')
  const found = (await listSearchRows(records, asker.propertyId, userIdOf(asker.caller))).find((one) => one.id === id)
  if (!found) throw notFound()
  ownerOf(asker, found.user_id === null)
  if (!(await deleteSearch(records, asker.propertyId, id))) throw notFound()
}
