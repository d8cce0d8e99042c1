// Forms and submissions put straight into the records, for what is done with them afterwards; how they come
// in is tested by the public flow.
import type { Answer } from '../../server/forms/form-model.ts'
import { searchText } from '../../server/submissions/search.ts'
import type { Records } from '../../server/stores/records.ts'
import type { FormSessionTable, FormTable, SubmissionTable } from '../../server/stores/tables/form-tables.ts'

let made = 0
const nextId = (prefix: string): string => `${prefix}_${String(++made).padStart(20, '0')}`

export type FormRow = Omit<FormTable, 'seq' | 'creates_contacts' | 'contact_fields'> & {
  readonly creates_contacts?: number
  readonly contact_fields?: string
}
/** Of no contact, when nothing is said. */
export type SubmissionRow = Omit<SubmissionTable, 'seq' | 'lead' | 'contact_id' | 'notice' | 'is_read'> & {
  readonly lead?: 'none' | 'due' | 'done' | 'private'
  readonly contact_id?: string | null
}

/** As it is stored, and the addresses that were written into it. */
export interface SubmissionDraft extends Partial<SubmissionRow> {
  readonly email_keys?: readonly string[]
}

/** A published open form. @returns its id. */
export async function addForm(records: Records, propertyId: string, row: Partial<FormRow> = {}): Promise<string> {
  const id = nextId('fm')
  const values: FormRow = {
    id,
    property_id: propertyId,
    key: nextId('fk'),
    name: 'Contact',
    kind: 'open',
    domains: '[]',
    fields: '[]',
    validation: '{}',
    presentation: '{}',
    success_html: '',
    redirect_url: null,
    is_plain_on: 0,
    language: 'en',
    is_published: 1,
    is_archived: 0,
    branding: 1,
    retention_days: null,
    is_ip_kept: 0,
    ip_retention_days: 30,
    stored_ips_until_ts: null,
    revision: 1,
    created_ts: 1_790_000_000,
    updated_ts: 1_790_000_000,
    ...row,
  }
  await records.insertInto('forms').values(values).execute()
  return values.id
}

/** Noon of 10 November 2026, as in contact-nodes.ts. */
export const SENT_MS = Date.UTC(2026, 10, 10, 12)

export function submissionRow(propertyId: string, formId: string, row: Partial<SubmissionRow> = {}): SubmissionRow {
  const { fields = JSON.stringify([{ type: 'text', name: 'name', label: 'Name', value: 'Ann' }]) } = row
  return {
    id: nextId('sb'),
    property_id: propertyId,
    form_id: formId,
    fact_id: String(++made),
    submitted_ms: SENT_MS,
    verdict: 'clean',
    mark: null,
    score: 0,
    reasons: '[]',
    fields,
    ip: '',
    network: '',
    country: 'Switzerland',
    country_code: 'CH',
    region: 'Bern',
    city: 'Bern',
    lat: 46.9,
    lon: 7.4,
    browser: 'Chrome',
    os: 'Windows',
    device: 'Desktop',
    language: 'en-GB',
    is_bot: 0,
    bot_name: '',
    bot_reason: '',
    source: '',
    lib: 'form/1.0.0',
    session_day: null,
    session: null,
    body_mac: null,
    signals_mac: null,
    is_noted: 1,
    search: searchText(JSON.parse(fields) as Answer[]),
    ...row,
  }
}

/** @returns their ids, in order. */
export async function addSubmissions(
  records: Records,
  propertyId: string,
  formId: string,
  drafts: readonly SubmissionDraft[],
): Promise<string[]> {
  const rows = drafts.map(({ email_keys = [], ...row }) => ({
    row: submissionRow(propertyId, formId, row),
    email_keys,
  }))
  const values = rows.map(({ row }) => row)
  for (let at = 0; at < values.length; at += 100)
    await records
      .insertInto('submissions')
      .values(values.slice(at, at + 100))
      .execute()
  const keys = rows.flatMap(({ row, email_keys }) =>
    email_keys.map((email_key) => ({ property_id: propertyId, email_key, submission_id: row.id })),
  )
  if (keys.length > 0) await records.insertInto('submission_keys').values(keys).execute()
  return values.map(({ id }) => id)
}

export async function addFormSession(
  records: Records,
  propertyId: string,
  formId: string,
  row: Partial<FormSessionTable> = {},
): Promise<void> {
  const values: FormSessionTable = {
    token_hash: nextId('hash'),
    property_id: propertyId,
    form_id: formId,
    fact_id: String(++made),
    address_mac: 'a',
    agent_mac: 'b',
    opened_ms: SENT_MS,
    expires_ms: SENT_MS + 600_000,
    consumed_ms: null,
    is_started: 0,
    traps: 0,
    honeypot: 'extra_abcdefgh',
    fields: '[]',
    validation: '{}',
    source: '',
    success_html: null,
    frozen_bytes: 4,
    has_origin: 1,
    session_day: null,
    session: null,
    ...row,
  }
  await records.insertInto('form_sessions').values(values).execute()
}

/** Ids in the order in which they came. */
export async function submissionIds(records: Records, formId: string): Promise<string[]> {
  const rows = await records
    .selectFrom('submissions')
    .select('id')
    .where('form_id', '=', formId)
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}
