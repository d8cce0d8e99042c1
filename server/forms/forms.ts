// Forms as their owner keeps them: made, changed, published, archived, deleted. A change never reaches a form session under way: that one has its
// fields and rules frozen.
import type { Deps } from '../kernel/deps.ts'
import type { PageAsk } from '../kernel/page.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { hasWords, wordsOf } from '../kernel/words.ts'
import type { Listed } from '../properties/properties.ts'
import { randomText } from '../properties/secrets.ts'
import { isForeignKeyViolation, type Records } from '../stores/records.ts'
import type { FormDirectory } from './directory.ts'
import { readFormChange, readFormDraft } from './draft.ts'
import type { RemoveDeps } from './erase.ts'
import { type Form, MAX_FORMS } from './form.ts'
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

/** `forms`: this node's directory, told of each change; a command line, which has none, hands over `noFormDirectory`. */
export interface FormDeps extends Pick<Deps, 'records' | 'now' | 'randomBytes'> {
  readonly forms: Pick<FormDirectory, 'forget'>
}

/** A running server notices within two seconds. */
export const noFormDirectory: Pick<FormDirectory, 'forget'> = { forget: () => undefined }

const ID_LENGTH = 20
const idShape = /^fm_[0-9A-Za-z]{1,64}$/

const notFound = () => new Problem('not_found', 'The form is not in this property.')
const nowTs = ({ now }: Pick<Deps, 'now'>): number => Math.floor(now() / 1000)

/** As the management interface and the command line show it. */
export function shownForm({ property_id: _property, presentation, ...form }: Form) {
  const { success_html, is_published, is_archived, branding, ...others } = form
  const { retention_days, is_ip_kept, ip_retention_days, stored_ips_until_ts, ...timed } = others
  const { created_ts, updated_ts, ...definition } = timed
  const state = { success_html, is_published, is_archived, branding }
  const kept = { retention_days, is_ip_kept, ip_retention_days, stored_ips_until_ts }
  return { ...definition, ...presentation, ...state, ...kept, created_ts, updated_ts }
}

/** @param body checked here. @throws Problem: validation_failed; not_found when the property is gone. */
export async function createForm(deps: Omit<FormDeps, 'forms'>, propertyId: string, body: unknown): Promise<Form> {
  const created_ts = nowTs(deps)
  const form: Form = {
    id: `fm_${randomText(deps.randomBytes, ID_LENGTH)}`,
    property_id: propertyId,
    key: `fk_${randomText(deps.randomBytes, ID_LENGTH)}`,
    ...readFormDraft(body),
    created_ts,
    updated_ts: created_ts,
  }
  await deps.records
    .transaction()
    .execute(async (tx) => {
      if ((await countForms(tx, propertyId)) >= MAX_FORMS)
        throw invalid('name', `A property may have at most ${MAX_FORMS} forms: delete one first.`)
      await insertForm(tx, form)
    })
    .catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? new Problem('not_found', 'Property not found.') : error
    })
  return form
}

/** Read from the database, not from memory: for management. @throws Problem('not_found') also for one of another property. */
export async function getForm({ records }: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<Form> {
  const form = idShape.test(id) ? await findForm(records, propertyId, id) : undefined
  if (!form) throw notFound()
  return form
}

async function searchForms(records: Records, propertyId: string, words: readonly string[], ask: PageAsk) {
  const all = await listFormNames(records, propertyId)
  const found = all.filter(({ name, key }) => hasWords(words, [name, key]))
  const first = (ask.page - 1) * ask.perPage
  const ids = found.slice(first, first + ask.perPage).map(({ id }) => id)
  return { rows: await selectFormRows(records, propertyId, ids), total: found.length }
}

/**
 * Newest first.
 * @param search words that must all be in the name or the key.
 */
export async function listForms(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  ask: PageAsk,
  search = '',
): Promise<Listed<Form>> {
  const words = wordsOf(search)
  if (words.length > 0) return searchForms(records, propertyId, words, ask)
  return { rows: await listFormRows(records, propertyId, ask), total: await countForms(records, propertyId) }
}

/**
 * Only what is sent is changed; of two at once each keeps what it alone sent.
 * @throws Problem: not_found; validation_failed naming the member.
 */
export async function updateForm(deps: FormDeps, propertyId: string, id: string, body: unknown): Promise<Form> {
  const form = await deps.records.transaction().execute(async (tx) => {
    const before = idShape.test(id) ? await findFormToChange(tx, propertyId, id, nowTs(deps)) : undefined
    if (!before) throw notFound()
    const after = { ...before, ...readFormChange(before, body) }
    await updateFormRow(tx, after)
    return after
  })
  deps.forms.forget(id)
  return form
}

/** With its form sessions and submissions, which may take a while; its form events stay. @throws Problem('not_found') */
export async function removeForm(deps: FormDeps & RemoveDeps, propertyId: string, id: string): Promise<void> {
  const isRemoved = idShape.test(id) && (await removeFormRows(deps, propertyId, id))
  deps.forms.forget(id)
  if (!isRemoved) throw notFound()
}
