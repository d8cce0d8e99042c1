// The endpoints that merge two contacts, and undo it.
import { role } from '../http/access.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { shownContact } from '../contacts/contact-model.ts'
import { contactIdOf, getContact } from '../contacts/contacts.ts'
import { contactOf } from '../contacts/records.ts'
import { listAliases, listUndoable, type Merge, mergeContacts, undoMerge, UNDO_MS } from './contact-merge.ts'
import * as schema from './schema.ts'

const mergeJson = <By>({
  id,
  merged_ms,
  edited_by,
  snapshot,
}: Omit<Merge, 'edited_by'> & { readonly edited_by: By }) => {
  const { seq: _place, ...other } = snapshot.other
  return {
    id,
    merged_ts: Math.floor(merged_ms / 1000),
    undo_until_ts: Math.floor((merged_ms + UNDO_MS) / 1000),
    edited_by,
    other: shownContact(contactOf(other)),
  }
}

export const mergeEndpoints = chapter('Management', [
  post(
    '/manage/properties/:property/contacts/:contact/merge',
    role('admin'),
    {
      summary: 'Merge another contact into this one',
      body: schema.MergeBody,
      answer: schema.mergedFields,
      says: 'The contact as it is now. Ids, external ids and emails of the other one lead to it from then on.',
    },
    async ({ context, property, caller, params, body: { other, take = [] } }) => {
      const draft = { keptId: contactIdOf(params), otherId: contactIdOf({ contact: other }), take }
      const { contact, merge } = await mergeContacts(editingDeps(context, caller), property.id, draft)
      return { contact: shownContact(contact), merge_id: merge.id }
    },
  ),
  get(
    '/manage/properties/:property/contacts/:contact/merges',
    role('viewer'),
    { summary: 'List what was merged into a contact, and the ids that lead to it', answer: schema.mergesFields },
    async ({ context, property, params }) => {
      const { id } = await getContact(context, property.id, contactIdOf(params))
      const merges = await withEditors(context, await listUndoable(context, property.id, id))
      const aliases = await listAliases(context.records, property.id, id)
      return { merges: merges.map(mergeJson), aliases: aliases.map(({ kind, shown }) => ({ kind, value: shown })) }
    },
  ),
  post(
    '/manage/properties/:property/contacts/:contact/merges/:merge/undo',
    role('admin'),
    {
      summary: 'Undo a merge, for 30 days',
      answer: schema.undoneFields,
      says: 'Both contacts. 409 when a later merge has to be undone first.',
    },
    async ({ context, property, caller, params }) => {
      const deps = editingDeps(context, caller)
      const { contact, other } = await undoMerge(deps, property.id, contactIdOf(params), params.merge)
      return { contact: shownContact(contact), other: shownContact(other) }
    },
  ),
])
