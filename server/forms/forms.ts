// Forms as their owner manages them: created, changed, published, archived, deleted. A change does not affect
// open form sessions: their fields and rules are frozen.
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { EditKind, EditorId } from '../kernel/edits.ts'
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { getProperty } from '../properties/properties.ts'
import { hasWords, wordsOf } from '../kernel/words.ts'
import { newId } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import { countEdits, findEdit, listEditRows, type StoredEdit } from '../stores/edits.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { FormDirectory } from './directory.ts'
import { type FormDraft, readFormChange, readFormDraft } from './draft.ts'
import { changedSides, editIdShape, editsOf, noteFormEdit, sideOf } from './edits.ts'
import type { RemoveDeps } from '../submissions/erase.ts'
import { type Form, MAX_FORMS } from './form-model.ts'
import { assertOwnPage } from './own-pages.ts'
import {
  countForms,
  findForm,
  findFormToChange,
  insertForm,
  listFormNames,
  listFormRows,
  selectFormRows,
  updateFormRow,
} from './records.ts'
import { removeForm as removeFormRows } from './remove.ts'
import { deleteTriesOf } from './tries-records.ts'

export { findForm, findFormNames } from './records.ts'
export type { Answer, Answers, AnswerValue, Form, FormField, FrozenField } from './form-model.ts'

/** `editor`: the author of the change, for the history. */
export interface EditDeps extends Pick<Deps, 'records' | 'now' | 'randomBytes'> {
  readonly editor: EditorId
}

/**
 * `forms`: this node's directory, notified of each change; the command line has none and passes
 * `noFormDirectory`.
 */
export interface FormDeps extends EditDeps {
  readonly forms: Pick<FormDirectory, 'forget'>
}

/** Which form of which property. */
export interface FormRef {
  readonly propertyId: string
  readonly id: string
}

/** A running server notices the change within two seconds. */
export const noFormDirectory: Pick<FormDirectory, 'forget'> = { forget: () => undefined }

const idShape = /^fm_[0-9A-Za-z]{1,64}$/

const notFound = () => new Problem('not_found', 'The form is not in this property.')

/** As the management API and the command line answer it. */
export function formJson({ property_id: _property, presentation, ...form }: Form) {
  const { success_html, redirect_url, is_plain_on, language, creates_contacts, contact_fields, ...decided } = form
  const { is_published, is_archived, branding, ...others } = decided
  const { retention_days, is_ip_kept, ip_retention_days, stored_ips_until_ts, ...timed } = others
  const { revision, created_ts, updated_ts, ...definition } = timed
  const sending = { success_html, redirect_url, is_plain_on, language, creates_contacts, contact_fields }
  const state = { ...sending, is_published, is_archived, branding }
  const kept = { retention_days, is_ip_kept, ip_retention_days, stored_ips_until_ts }
  return { ...definition, ...presentation, ...state, ...kept, revision, created_ts, updated_ts }
}

/** Only once there is something to check: of most forms visitors stay where they are. */
async function assertRedirect(records: Records, form: Form, before?: Form): Promise<void> {
  const isSame = before?.redirect_url === form.redirect_url && before.domains.join() === form.domains.join()
  if (form.redirect_url === null || isSame) return
  const { domains } = await getProperty({ records }, form.property_id)
  assertOwnPage(form.redirect_url, [...domains, ...form.domains])
}

/** @param body validated here. @throws Problem: validation_failed; not_found when the property is gone. */
export async function createForm(deps: EditDeps, propertyId: string, body: unknown): Promise<Form> {
  const nowMs = deps.now()
  const created_ts = Math.floor(nowMs / 1000)
  const form: Form = {
    id: newId(deps, 'fm'),
    property_id: propertyId,
    key: newId(deps, 'fk'),
    ...readFormDraft(body),
    revision: 1,
    created_ts,
    updated_ts: created_ts,
  }
  const work = deps.records.transaction().execute(async (tx) => {
    if ((await countForms(tx, propertyId)) >= MAX_FORMS)
      throw invalid('name', `A property may have at most ${MAX_FORMS} forms: delete one first.`)
    await assertRedirect(tx, form)
    await insertForm(tx, form)
    await noteFormEdit(tx, deps, form, { kind: 'create', before: null, after: sideOf(form) })
  })
  await orNotFound(work, propertyNotFound)
  return form
}

/**
 * For management: read from the database, not from memory. @throws Problem('not_found') also for a form of
 * another property.
 */
export async function getForm({ records }: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<Form> {
  const form = idShape.test(id) ? await findForm(records, propertyId, id) : undefined
  if (!form) throw notFound()
  return form
}

async function searchForms(records: Records, propertyId: string, words: readonly string[], query: PageQuery) {
  const all = await listFormNames(records, propertyId)
  const found = all.filter(({ name, key }) => hasWords(words, [name, key]))
  const first = offsetOf(query)
  const ids = found.slice(first, first + query.perPage).map(({ id }) => id)
  return { rows: await selectFormRows(records, propertyId, ids), total: found.length }
}

/** Newest first. @param search words that must all occur in the name or the key. */
export async function listForms(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
  search = '',
): Promise<Listed<Form>> {
  const words = wordsOf(search)
  if (words.length > 0) return searchForms(records, propertyId, words, query)
  return { rows: await listFormRows(records, propertyId, query), total: await countForms(records, propertyId) }
}

/** @returns the form as it is stored; the same form when the change changes nothing. */
async function storeChange(
  tx: Tx,
  deps: FormDeps,
  kind: EditKind,
  { before, changed }: { readonly before: Form; readonly changed: Form },
): Promise<Form> {
  const sides = changedSides(before, changed)
  if (!sides) return before
  const after = { ...changed, revision: before.revision + 1, updated_ts: currentTs(deps) }
  await updateFormRow(tx, after)
  if (after.is_published && !before.is_published) await deleteTriesOf(tx, after.id)
  await noteFormEdit(tx, deps, after, { kind, ...sides })
  return after
}

/** Changes of one form take turns, over all nodes: each starts from the result of the one before. */
async function changeForm(
  deps: FormDeps,
  { propertyId, id }: FormRef,
  kind: EditKind,
  change: (before: Form) => FormDraft,
): Promise<Form> {
  const form = await deps.records.transaction().execute(async (tx) => {
    const before = idShape.test(id) ? await findFormToChange(tx, propertyId, id) : undefined
    if (!before) throw notFound()
    const changed = { ...before, ...change(before) }
    await assertRedirect(tx, changed, before)
    return storeChange(tx, deps, kind, { before, changed })
  })
  deps.forms.forget(id)
  return form
}

/**
 * Changes only the members that are sent, so that concurrent changes of different members both count. With
 * `if_revision` it is refused when anything has changed since that revision.
 * @throws Problem: not_found; validation_failed naming the member; conflict.
 */
export const updateForm = (deps: FormDeps, propertyId: string, id: string, body: unknown): Promise<Form> =>
  changeForm(deps, { propertyId, id }, 'update', (before) => readFormChange(before, body))

/** Newest first. @throws Problem('not_found') */
export async function listFormEdits(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
  query: PageQuery,
): Promise<Listed<StoredEdit>> {
  const of = editsOf(await getForm({ records }, propertyId, id))
  return { rows: await listEditRows(records, of, query), total: await countEdits(records, of) }
}

/**
 * Restores what was before the edit, whatever came after it; what the edit did not change stays as it is.
 * @throws Problem: not_found; validation_failed with a sentence when it is no longer possible.
 */
export async function undoFormEdit(deps: FormDeps, { propertyId, id }: FormRef, editId: string): Promise<Form> {
  const form = await getForm(deps, propertyId, id)
  const edit = editIdShape.test(editId) ? await findEdit(deps.records, editsOf(form), editId) : undefined
  if (!edit) throw new Problem('not_found', 'This change was not found, or is no longer kept.')
  if (edit.before === null) throw invalid('edit', 'Creating a form cannot be undone. Delete the form instead.')
  return changeForm(deps, { propertyId, id }, 'undo', (now) => readFormChange(now, edit.before))
}

/**
 * With its form sessions and submissions, which may take a while; its form events stay in the facts. @throws
 * Problem('not_found')
 */
export async function removeForm(
  deps: Pick<FormDeps, 'forms'> & RemoveDeps,
  propertyId: string,
  id: string,
): Promise<void> {
  const isRemoved = idShape.test(id) && (await removeFormRows(deps, propertyId, id))
  deps.forms.forget(id)
  if (!isRemoved) throw notFound()
}
