// Groups as people name them in files and on the command line: by id, or by name.
import { everyRow } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import type { Records } from '../stores/records.ts'
import { type CreateDeps, isGroupId, newGroup } from './groups.ts'
import { type LinkGroup, MAX_GROUP_NAME } from './link-model.ts'
import { listGroupRows } from './records.ts'

/** Newest first. */
export const everyGroup = (records: Records, propertyId: string): Promise<LinkGroup[]> =>
  everyRow((ask) => listGroupRows(records, propertyId, ask))

/** Names of all groups of a property, by id. */
export async function groupNames(records: Records, propertyId: string): Promise<Map<string, string>> {
  return new Map((await everyGroup(records, propertyId)).map(({ id, name }) => [id, name]))
}

export interface GroupWords {
  /**
   * The id of the group that is meant.
   * @param id of the group that had this name when the file was written: it tells groups of one name apart.
   * @throws Problem('validation_failed') about the field `group`.
   */
  idOf(word: string, id?: string): string
  /** Groups that were made for words that meant none; not stored yet. */
  readonly added: LinkGroup[]
}

/** @param create a word that means no group makes one of that name. */
export async function openGroupWords(
  deps: Pick<CreateDeps, 'records' | 'now' | 'randomBytes'>,
  propertyId: string,
  create: boolean,
): Promise<GroupWords> {
  const names = await groupNames(deps.records, propertyId)
  const named = Map.groupBy(names.keys(), (id) => names.get(id)!)
  const added: LinkGroup[] = []
  const add = (name: string): string => {
    if ([...name].length > MAX_GROUP_NAME)
      throw invalid('group', `group may have at most ${MAX_GROUP_NAME} characters.`)
    const group = newGroup(deps, { name })
    added.push(group)
    named.set(name, [group.id])
    return group.id
  }
  return {
    added,
    idOf(word, id) {
      if (id !== undefined && names.get(id) === word) return id
      if (names.has(word)) return word
      const [only, ...others] = named.get(word) ?? []
      if (others.length > 0) throw invalid('group', 'group is the name of several groups: give the id of one.')
      if (only !== undefined) return only
      // What looks like an id is one that was mistyped, or of another property.
      if (create && !isGroupId(word)) return add(word)
      throw invalid('group', 'group does not match a group of this property.')
    },
  }
}
