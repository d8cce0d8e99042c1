// Contacts: found, shown, changed, erased; in and out as files.
import { download, get, type Page, post, remove } from '../api.ts'

export const contactTexts = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'job_title',
  'website',
  'city',
  'country',
  'external_id',
] as const

export type ContactText = (typeof contactTexts)[number]
export type MetaValue = string | number | boolean | null

export interface Contact extends Readonly<Record<ContactText, string | null>> {
  readonly id: string
  readonly full_name: string | null
  readonly lifecycle_stage: string
  readonly state: 'active' | 'unsubscribed' | 'deleted'
  readonly meta: readonly { key: string; value: MetaValue }[]
  readonly first_seen_ts: number
  readonly identified_ts: number
  readonly last_seen_ts: number
  readonly session_count: number
}

export interface ContactSession {
  readonly id: string
  readonly entry_ts: number
  readonly last_ts: number | null
  readonly entry_url: string | null
  readonly exit_url: string | null
  readonly bounced: boolean | null
  readonly views: number | null
  readonly channel: { readonly category: string | null; readonly name: string | null; readonly source: string | null }
  readonly geo: { readonly country: string | null; readonly city: string | null }
  readonly device: string | null
}

export interface ContactSessions {
  readonly sessions: readonly ContactSession[]
  readonly paging: { readonly has_more: boolean; readonly next_cursor: number | null }
}

export interface ContactSubmission {
  readonly id: string
  readonly form: { readonly id: string; readonly name: string }
  readonly submitted_ts: number
  readonly is_spam: boolean
  /** By label. */
  readonly fields: Readonly<Record<string, string>>
  readonly session_id: string | null
}

export const contactSorts = ['name', 'sessions', 'first_seen', 'last_seen'] as const
export type ContactSort = (typeof contactSorts)[number]

export interface ContactFilter {
  readonly search: string
  readonly state: string
  readonly lifecycle_stage: string
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
export const readContactNames = (
  property: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<{ names: Readonly<Record<string, string>> }> =>
  get(`${managed(property)}/contacts/names`, { query: { ids: ids.join(',') }, signal })

/** Null clears a text; `meta` replaces the whole list. */
export interface ContactChange extends Partial<Readonly<Record<ContactText, string | null>>> {
  readonly lifecycle_stage?: string
  readonly state?: 'active' | 'unsubscribed'
  readonly meta?: readonly { key: string; value: MetaValue }[]
}

export const updateContact = (property: string, id: string, change: ContactChange): Promise<{ contact: Contact }> =>
  post(one(id), change, { property })

export const eraseContact = (property: string, id: string): Promise<unknown> => remove(one(id), { property })

/** What was there, never what it was. */
export interface Receipt {
  readonly contact_id: string
  readonly erased_ts: number
  readonly was_deleted: boolean
  readonly fields: readonly string[]
  readonly meta_entries: number
  readonly sessions: number
  readonly submissions: number
}

/** The same, with a receipt. */
export const eraseWithReceipt = (property: string, id: string): Promise<{ receipt: Receipt }> =>
  post(`${managed(property)}/contacts/${encodeURIComponent(id)}/erase`)

// ---------------------------------------------------------------- files

export interface ImportPart {
  readonly rows: number
  readonly bad_rows: number
  /** `line` of the part that was sent. */
  readonly faults: readonly { line: number; field: string; reason: string }[]
  readonly more_faults: number
  readonly nameless_rows: number
  readonly ignored_columns: readonly string[]
  readonly created: number
  readonly updated: number
}

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

/** Makes the file on the service, waits for it, saves it. @throws ApiError, or Error when it cannot be made. */
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
