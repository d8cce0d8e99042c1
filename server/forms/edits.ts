// The history of a form: what each change replaced, in the words of a request that would restore it.
import type { Deps } from '../kernel/deps.ts'
import { changedNames, type EditKind, type EditorId, type EditSide, type EditSides, onlyOf } from '../kernel/edits.ts'
import { newId } from '../kernel/secrets.ts'
import { type EditsOf, insertEdit } from '../stores/edits.ts'
import type { Tx } from '../stores/records.ts'
import { type Form, MAX_EDITS } from './form-model.ts'

/** Anything else cannot exist. */
export const editIdShape = /^fe_[0-9A-Za-z]{20}$/

/** Rules refer to fields: restored alone, one of the two might not fit what came later. */
const together: readonly string[] = ['fields', 'validation']

export const editsOf = ({ property_id, id }: Pick<Form, 'property_id' | 'id'>): EditsOf => ({
  table: 'form_edits',
  column: 'form_id',
  own: [],
  propertyId: property_id,
  id,
})

/** What the owner sets. */
export function sideOf(form: Form): EditSide {
  const { id: _id, property_id: _property, key: _key, kind: _kind, presentation, ...members } = form
  const { stored_ips_until_ts: _until, revision: _revision, ...timed } = members
  const { created_ts: _created, updated_ts: _updated, ...decided } = timed
  return { ...decided, ...presentation }
}

/** Undefined when nothing changed. */
export function changedSides(before: Form, after: Form): EditSides | undefined {
  const [left, right] = [sideOf(before), sideOf(after)]
  const changed = changedNames(left, right)
  if (changed.length === 0) return undefined
  const others = changed.filter((name) => !together.includes(name))
  const names = others.length === changed.length ? changed : [...together, ...others]
  return { before: onlyOf(left, names), after: onlyOf(right, names) }
}

interface NoteDeps extends Pick<Deps, 'now' | 'randomBytes'> {
  readonly editor: EditorId
}

/** Part of the change's transaction. */
export async function noteFormEdit(
  tx: Tx,
  { now, randomBytes, editor }: NoteDeps,
  form: Form,
  edit: EditSides & { readonly kind: EditKind },
): Promise<void> {
  const id = newId({ randomBytes }, 'fe')
  await insertEdit(tx, editsOf(form), { id, edited_ms: now(), edited_by: editor, ...edit }, MAX_EDITS)
}
