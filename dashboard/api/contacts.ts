// Contacts: found, shown, changed, erased; in and out as files.
import type { ContactSort, MetaValue, TextField as ContactText } from '../../server/contacts/contact-model.ts'
import type {
  ConsentJson as Consent,
  ContactChangeJson as ContactChange,
  ContactJson as Contact,
  ImportJson as ImportPart,
  ReceiptJson as Receipt,
  SessionJson as ContactSession,
  SessionsJson as ContactSessions,
  WorthJson as Worth,
} from '../../server/contacts/schema.ts'
import type {
  ListInputJson as ContactListInput,
  ListJson as ContactList,
  ListsJson,
  MembershipJson as Membership,
} from '../../server/contact-lists/schema.ts'
import type { NewSearchJson, SearchJson as SavedSearch } from '../../server/contact-searches/schema.ts'
import type { MergeJson as ContactMerge, MergesJson } from '../../server/contact-merge/schema.ts'
import type { LabelCountsJson, LabelsJson, NoteJson as ContactNote } from '../../server/contacts/label-schema.ts'
import type { SubmissionJson as ContactSubmission } from '../../server/submissions/schema.ts'
import { download, get, type Page, post, remove } from '../api.ts'

export type ContactLabels = LabelsJson
export type LabelKind = keyof LabelsJson
export type {
  Contact,
  ContactList,
  ContactMerge,
  ContactNote,
  Worth,
  ContactChange,
  ContactSession,
  ContactSubmission,
  ContactText,
  ImportPart,
  Membership,
  MetaValue,
  SavedSearch,
  Receipt,
}

export const contactSorts = [
  'name',
  'sessions',
  'value',
  'orders',
  'first_seen',
  'last_seen',
] as const satisfies readonly ContactSort[]

export interface ContactFilter {
  readonly search: string
  readonly state: string
  readonly lifecycle_stage: string
  readonly list?: string
  readonly tag?: string
  /** Left out: the newest first. */
  readonly sort?: ContactSort | null
  readonly direction?: 'asc' | 'desc' | null
}

export const CONTACTS_PER_PAGE = 25

const v2 = '/v2/property/contacts'
const one = (id: string) => `${v2}/${encodeURIComponent(id)}`
const managed = (property: string) => `/manage/properties/${encodeURIComponent(property)}`

export const listContacts = (
  property: string,
  filter: ContactFilter,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Contact>> => get(v2, { property, query: { ...filter, page, per_page: CONTACTS_PER_PAGE }, signal })

export const readContact = (property: string, id: string, signal?: AbortSignal): Promise<{ contact: Contact }> =>
  get(one(id), { property, signal })

export const listContactSessions = (
  property: string,
  id: string,
  cursor: number | null,
  signal?: AbortSignal,
): Promise<ContactSessions> => get(`${one(id)}/sessions`, { property, query: { per_page: 25, cursor }, signal })

export const listContactSubmissions = (
  property: string,
  id: string,
  signal?: AbortSignal,
): Promise<{ submissions: readonly ContactSubmission[] }> =>
  get(`${managed(property)}/contacts/${encodeURIComponent(id)}/submissions`, { signal })

/** By id. */
export const listConsents = (
  property: string,
  id: string,
  signal?: AbortSignal,
): Promise<{ consents: readonly Consent[] }> =>
  get(`${managed(property)}/contacts/${encodeURIComponent(id)}/consents`, { signal })

export const readContactNames = (
  property: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<{ names: Readonly<Record<string, string>> }> =>
  get(`${managed(property)}/contacts/names`, { query: { ids: ids.join(',') }, signal })

/** Null clears a text; `meta` replaces the whole list. */
export const updateContact = (property: string, id: string, change: ContactChange): Promise<{ contact: Contact }> =>
  post(one(id), change, { property })

export const eraseContact = (property: string, id: string): Promise<unknown> => remove(one(id), { property })

/** The same, with a receipt. */
export const eraseWithReceipt = (property: string, id: string): Promise<{ receipt: Receipt }> =>
  post(`${managed(property)}/contacts/${encodeURIComponent(id)}/erase`)

// ---------------------------------------------------------------- files

export const importPart = (property: string, csv: string, isTrial: boolean): Promise<ImportPart> =>
  post(`${managed(property)}/contacts/import`, { csv, is_trial: isTrial })

interface Export {
  readonly id: string
  readonly state: 'running' | 'done' | 'failed'
  readonly progress: number
  readonly file_name: string
  readonly error: { readonly message?: string } | null
}

const POLL_MS = 400

/** Creates the file on the service, waits for it and saves it. @throws ApiError, or Error when that fails. */
export async function exportContacts(property: string): Promise<void> {
  const path = `${managed(property)}/exports`
  let { export: made } = await post<{ export: Export }>(path, { kind: 'contacts' })
  while (made.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    made = (await get<{ export: Export }>(`${path}/${made.id}`)).export
  }
  if (made.state === 'failed') throw new Error(made.error?.message ?? '')
  await download(`${path}/${made.id}/file`, made.file_name)
}

// ---------------------------------------------------------------- lists, tags, notes, by hand

const oneManaged = (property: string, id: string, rest: string) =>
  `${managed(property)}/contacts/${encodeURIComponent(id)}${rest}`

export const addContact = (property: string, given: ContactChange): Promise<{ contact: Contact }> =>
  post(`${managed(property)}/contacts`, given)

/** All that contacts of the property are in. */
export const readLabels = (property: string, signal?: AbortSignal): Promise<LabelCountsJson> =>
  get(`${managed(property)}/contacts/labels`, { signal })

export const readContactLabels = (property: string, id: string, signal?: AbortSignal): Promise<LabelsJson> =>
  get(oneManaged(property, id, '/labels'), { signal })

/** Each kind that is sent is replaced as a whole. */
export const setContactLabels = (
  property: string,
  id: string,
  labels: Partial<Readonly<Record<LabelKind, readonly string[]>>>,
): Promise<LabelsJson> => post(oneManaged(property, id, '/labels'), labels)

export const listNotes = (
  property: string,
  id: string,
  signal?: AbortSignal,
): Promise<{ notes: readonly ContactNote[] }> => get(oneManaged(property, id, '/notes'), { signal })
export const addNote = (property: string, id: string, text: string) =>
  post<{ note: ContactNote }>(oneManaged(property, id, '/notes'), { text })
export const deleteNote = (property: string, id: string, note: string) =>
  remove(oneManaged(property, id, `/notes/${encodeURIComponent(note)}`))

// ---------------------------------------------------------------- saved searches

const searches = (property: string) => `${managed(property)}/contact-searches`

/** Everybody's, and one's own. */
export const listSearches = (property: string, signal?: AbortSignal): Promise<{ searches: readonly SavedSearch[] }> =>
  get(searches(property), { signal })
export const saveSearch = (property: string, search: NewSearchJson): Promise<{ search: SavedSearch }> =>
  post(searches(property), search)
export const deleteSearch = (property: string, id: string): Promise<unknown> =>
  remove(`${searches(property)}/${encodeURIComponent(id)}`)

// ---------------------------------------------------------------- lists that are confirmed by email

export const readLists = (property: string, signal?: AbortSignal): Promise<ListsJson> =>
  get(`${managed(property)}/contact-lists`, { signal })

export const saveList = (property: string, list: ContactListInput): Promise<{ list: ContactList }> =>
  post(`${managed(property)}/contact-lists`, list)

export const listMemberships = (
  property: string,
  id: string,
  signal?: AbortSignal,
): Promise<{ memberships: readonly Membership[] }> => get(oneManaged(property, id, '/memberships'), { signal })

export const askAgain = (property: string, id: string, membership: string): Promise<unknown> =>
  post(oneManaged(property, id, `/memberships/${encodeURIComponent(membership)}/send`))

// ---------------------------------------------------------------- two that are one

/** @param draft the one that goes, and the fields whose value is taken from it. */
export const mergeContacts = (
  property: string,
  id: string,
  draft: { readonly other: string; readonly take: readonly string[] },
): Promise<{ contact: Contact }> => post(oneManaged(property, id, '/merge'), draft)

export const listMerges = (property: string, id: string, signal?: AbortSignal): Promise<MergesJson> =>
  get(oneManaged(property, id, '/merges'), { signal })

export const undoMerge = (property: string, id: string, merge: string): Promise<{ contact: Contact }> =>
  post(oneManaged(property, id, `/merges/${encodeURIComponent(merge)}/undo`))

// ---------------------------------------------------------------- what came of them

/** By id: value, orders and first source. */
export const readWorth = (
  property: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<{ worth: Readonly<Record<string, Worth>> }> =>
  get(`${managed(property)}/contacts/worth`, { query: { ids: ids.join(',') }, signal })

/** Everything about one person, as a file. */
export const exportPerson = (property: string, id: string, format: 'json' | 'html'): Promise<void> =>
  download(oneManaged(property, id, '/export'), `${id}.${format}`, { query: { format } })
