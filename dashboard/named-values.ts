// Values of filters: what those that are ids are called, and which there are in the window, with their
// counts. Loaded when the first of them is needed.
import { listContacts, readContactNames } from './api/contacts.ts'
import { listAllConversions } from './api/conversions.ts'
import { listAllForms } from './api/forms.ts'
import { listAllGroups, listLinks, readLink } from './api/links.ts'
import { type ListId, readList, readPages } from './api/overview.ts'
import { listIds } from './api/overview-ids.ts'
import { listSegments } from './api/segments.ts'
import { isPathId, keptAddress, shownAddress } from './address.ts'
import { channelName, deviceName, sourceName } from './service-words.ts'
import type { askOf } from './window.ts'

type Names = Readonly<Record<string, string>>
type NamesOf = (property: string, ids: readonly string[], signal: AbortSignal) => Promise<Names>

const named = (rows: readonly { readonly id: string; readonly name: string | null }[]): Names =>
  Object.fromEntries(rows.map(({ id, name }) => [id, name ?? id]))

/** A filter names few; more are shown by their ids. */
const MOST_LINKS = 10

const sources: Readonly<Record<string, NamesOf>> = {
  conversion: async (property, _, signal) => named(await listAllConversions(property, signal)),
  form: async (property, _, signal) => named(await listAllForms(property, signal)),
  contact_id: async (property, ids, signal) => (await readContactNames(property, ids, signal)).names,
  link: async (property, ids, signal) => {
    const links = await Promise.all(ids.slice(0, MOST_LINKS).map((id) => readLink(property, id, signal)))
    return named(links.map(({ link }) => ({ id: link.id, name: link.name ?? link.code })))
  },
  segment: async (property, _, signal) => named((await listSegments(property, signal)).segments),
  link_group: async (property, _, signal) => named(await listAllGroups(property, signal)),
}

/** By value, as far as they are known. */
export const namesOf = (
  property: string,
  { id, values }: { readonly id: string; readonly values: readonly string[] },
  signal: AbortSignal,
): Promise<Names> => sources[id]?.(property, values, signal) ?? Promise.resolve({})

export interface Suggestion {
  readonly value: string
  readonly label: string
  /** Sessions of the window, of pages views; undefined where they are not counted. */
  readonly count?: number | undefined
}

const SHOWN = 8

const isIn = (search: string) => {
  const wanted = search.toLowerCase()
  return ({ label }: Suggestion): boolean => label.toLowerCase().includes(wanted)
}

const suggested = (names: Names): Suggestion[] => Object.entries(names).map(([value, label]) => ({ value, label }))

interface Asked {
  readonly id: string
  /** Part of what is looked for, in any case. */
  readonly search: string
  readonly window: ReturnType<typeof askOf>
}

type SuggestionsOf = (property: string, asked: Asked, signal: AbortSignal) => Promise<readonly Suggestion[]>

const page = { page: 1, per_page: SHOWN } as const

const labels: Readonly<Record<string, (row: { readonly id: string; readonly label: string }) => string>> = {
  channel: ({ id, label }) => channelName(id, label),
  source: ({ label }) => sourceName(label),
  device: ({ id }) => deviceName(id),
}

const listed =
  (id: ListId): SuggestionsOf =>
  async (property, { search, window }, signal) => {
    const { rows } = await readList(
      property,
      id,
      { ...window, ...page, search: isPathId(id) ? keptAddress(search) : search },
      signal,
    )
    return rows.map((row) => ({
      value: row.id,
      label: isPathId(id) ? shownAddress(row.label) : (labels[id]?.(row) ?? row.label),
      count: row.value,
    }))
  }

const suggestions: Readonly<Record<string, SuggestionsOf>> = {
  ...Object.fromEntries(listIds.map((id) => [id, listed(id)])),
  page_path: async (property, { search, window }, signal) => {
    const { rows } = await readPages(property, { ...window, ...page, search: keptAddress(search) }, signal)
    return rows.map(({ id, label, views }) => ({ value: id, label: shownAddress(label), count: views }))
  },
  link: async (property, { search, window }, signal) => {
    const { period, date_from, date_to } = window
    const { data } = await listLinks(property, { period, date_from, date_to, search, group_id: '', ...page }, signal)
    return data.map(({ id, name, code }) => ({ value: id, label: name ?? code }))
  },
  contact_id: async (property, { search }, signal) => {
    const { data } = await listContacts(property, { search, state: '', lifecycle_stage: '' }, 1, signal)
    return data.map(({ id, full_name, email, external_id }) => ({
      value: id,
      label: full_name ?? email ?? external_id ?? id,
    }))
  },
}

/** The most frequent ones that hold the text; of things with a name those by name. */
export async function suggestionsOf(
  property: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const own = suggestions[asked.id]
  if (own) return (await own(property, asked, signal)).slice(0, SHOWN)
  const names = await namesOf(property, { id: asked.id, values: [] }, signal)
  return suggested(names).filter(isIn(asked.search)).slice(0, SHOWN)
}
