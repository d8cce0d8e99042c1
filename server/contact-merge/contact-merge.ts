// Two contacts that are one person: one is kept, the other goes into it, with everything that is known of it.
// Whatever led to the other one leads to the one that is kept (docs/decisions/0061-merging-contacts.md).
import type { EditorId } from '../kernel/edits.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { scrubDeleted, type Tx } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import type { Alias } from '../contacts/alias-records.ts'
import type { Contact } from '../contacts/contact-model.ts'
import { type ContactDeps, contactNotFound, getContact, holdContact } from '../contacts/contacts.ts'
import { insertLabels } from '../contacts/label-records.ts'
import { contactOf, type ContactRow, lockExternalIds, updateContactRow } from '../contacts/records.ts'
import { noteLinks } from '../identify/contact-sessions.ts'
import { type ContactListeners, listenersOf, notifyOfChange } from '../identify/triggers.ts'
import { mergedValues, undoneValues, UNDO_MS } from './model.ts'
import {
  forgetSnapshots,
  insertAliases,
  insertMerge,
  lastMergeMs,
  listLabelRows,
  listMerges,
  type Merge,
  moveAll,
  moveBack,
  passAliases,
  readSeq,
  recountSessions,
  removeContactRow,
  removeLabels,
  removeMerge,
  restoreContactRow,
  returnAliases,
} from './records.ts'

export { listAliases } from '../contacts/alias-records.ts'
export { UNDO_MS } from './model.ts'
export type { Merge } from './records.ts'

export type MergeDeps = ContactDeps & { readonly editor: EditorId }

export interface MergeDraft {
  readonly keptId: string
  readonly otherId: string
  /** Fields whose value is that of the other one. */
  readonly take: readonly string[]
}

interface Both {
  readonly kept: ContactRow
  readonly other: ContactRow
}

/** In the order of their ids: two merges of the same two do not wait for each other for ever. */
async function holdBoth(tx: Tx, propertyId: string, { keptId, otherId }: MergeDraft): Promise<Both> {
  const held = new Map<string, ContactRow>()
  for (const id of [keptId, otherId].toSorted()) held.set(id, await holdContact(tx, propertyId, id))
  const [kept, other] = [held.get(keptId)!, held.get(otherId)!]
  if (kept.id === other.id) throw invalid('other', 'These are the same contact.')
  for (const { state } of [kept, other])
    if (state === 'deleted') throw new Problem('gone', 'An erased contact cannot be merged.')
  return { kept, other }
}

/** By what either was known and the contact itself is no longer called. */
function aliasesOf({ kept, other }: Both, after: ContactRow, merge_id: string): Alias[] {
  const same = { property_id: kept.property_id, contact_id: kept.id, merge_id }
  const ofEither = [kept, other].flatMap(({ external_id, email, email_key, email_by }): Alias[] => [
    ...(external_id === null || external_id === after.external_id
      ? []
      : [{ ...same, kind: 'external_id' as const, alias: external_id, shown: external_id, given_by: null }]),
    ...(email_key === null || email === null || email_key === after.email_key
      ? []
      : [{ ...same, kind: 'email' as const, alias: email_key, shown: email, given_by: email_by }]),
  ])
  return [{ ...same, kind: 'id', alias: other.id, shown: other.id, given_by: null }, ...ofEither]
}

async function mergeInside(
  deps: MergeDeps,
  tx: Tx,
  both: Both,
  { take, listeners }: { readonly take: readonly string[]; readonly listeners: ContactListeners },
): Promise<Merge> {
  const { kept, other } = both
  const values = mergedValues(kept, other, take)
  const [otherLabels, keptLabels] = [await listLabelRows(tx, other.id), await listLabelRows(tx, kept.id)]
  const isKepts = ({ kind, label_key }: (typeof otherLabels)[number]) =>
    keptLabels.some((label) => label.kind === kind && label.label_key === label_key)
  const addedLabels = otherLabels.filter((label) => !isKepts(label))
  const merge = {
    id: newId(deps, 'cm'),
    property_id: kept.property_id,
    kept_id: kept.id,
    other_id: other.id,
    merged_ms: Math.max(deps.now(), (await lastMergeMs(tx, kept.property_id, kept.id)) + 1),
    edited_by: deps.editor,
    snapshot: {
      ...values,
      other: { ...other, seq: await readSeq(tx, kept.property_id, other.id) },
      otherLabels,
      addedLabels,
    },
  }
  await insertMerge(tx, merge)
  await moveAll(tx, merge.id, { from: other.id, to: kept.id })
  await insertLabels(tx, kept.id, addedLabels)
  await passAliases(tx, { from: other.id, to: kept.id })
  await removeContactRow(tx, other)
  const after = await updateContactRow(tx, kept, values.after)
  await insertAliases(tx, aliasesOf(both, after, merge.id))
  await recountSessions(tx, kept.id)
  const moment = { nowMs: deps.now(), session: undefined }
  await notifyOfChange(deps.triggers, tx, listeners, { before: contactOf(kept), after: contactOf(after), moment })
  return merge
}

/** The facts learn of it at once, or, when they are away, from the job. */
async function tellFacts(deps: MergeDeps): Promise<void> {
  await noteLinks(deps).catch((error: unknown) => {
    if (!(error instanceof Problem && error.kind === 'unavailable')) throw error
    deps.log.debug({ err: error }, 'sessions of a merged contact are noted later')
  })
}

export interface Merged {
  readonly contact: Contact
  readonly merge: Merge
}

/** @throws Problem: not_found; gone for an erased contact; validation_failed. */
export async function mergeContacts(deps: MergeDeps, propertyId: string, draft: MergeDraft): Promise<Merged> {
  const listeners = await listenersOf(deps.triggers, propertyId)
  const merge = await deps.records.transaction().execute(async (tx) => {
    await lockExternalIds(tx, propertyId)
    const both = await holdBoth(tx, propertyId, draft)
    return mergeInside(deps, tx, both, { take: draft.take, listeners })
  })
  if (listeners.contact.length > 0) deps.triggers.wake()
  await tellFacts(deps)
  return { contact: await getContact(deps, propertyId, merge.kept_id), merge }
}

/** Those into a contact that can still be undone, the last one first. */
export const listUndoable = (
  { records, now }: Pick<MergeDeps, 'records' | 'now'>,
  propertyId: string,
  contactId: string,
): Promise<Merge[]> => listMerges(records, propertyId, { keptId: contactId, sinceMs: now() - UNDO_MS })

// ---------------------------------------------------------------- undone

/** @throws Problem: not_found; conflict when another merge has to be undone first. */
async function holdMerge(deps: MergeDeps, tx: Tx, kept: ContactRow, mergeId: string): Promise<Merge> {
  const merges = await listUndoable({ ...deps, records: tx }, kept.property_id, kept.id)
  const found = merges.find(({ id }) => id === mergeId)
  if (!found) throw new Problem('not_found', 'There is no such merge, or it can no longer be undone.')
  if (found !== merges[0]) throw new Problem('conflict', 'Undo the later merge first.')
  return found
}

async function undoInside(
  deps: MergeDeps,
  tx: Tx,
  { kept, merge }: { readonly kept: ContactRow; readonly merge: Merge },
  listeners: ContactListeners,
): Promise<void> {
  const { other, otherLabels, addedLabels } = merge.snapshot
  // First what the two may not have at once: external ids and claims are unique.
  const after = await updateContactRow(tx, kept, undoneValues(kept, merge.snapshot))
  await restoreContactRow(tx, other)
  await returnAliases(tx, merge)
  await moveBack(tx, merge.id, { from: kept.id, to: other.id })
  await removeLabels(tx, kept.id, addedLabels)
  await insertLabels(tx, other.id, otherLabels)
  for (const id of [kept.id, other.id]) await recountSessions(tx, id)
  if (!(await removeMerge(tx, merge))) throw contactNotFound()
  const moment = { nowMs: deps.now(), session: undefined }
  await notifyOfChange(deps.triggers, tx, listeners, { before: contactOf(kept), after: contactOf(after), moment })
}

/**
 * The other contact is as it was at the merge; the one that was kept loses what the merge brought, unless it
 * was changed since. @throws Problem: not_found; gone; conflict.
 */
export async function undoMerge(
  deps: MergeDeps,
  propertyId: string,
  contactId: string,
  mergeId: string,
): Promise<{ readonly contact: Contact; readonly other: Contact }> {
  const listeners = await listenersOf(deps.triggers, propertyId)
  const merge = await deps.records.transaction().execute(async (tx) => {
    await lockExternalIds(tx, propertyId)
    const kept = await holdContact(tx, propertyId, contactId)
    const found = await holdMerge(deps, tx, kept, mergeId)
    await undoInside(deps, tx, { kept, merge: found }, listeners)
    return found
  })
  if (listeners.contact.length > 0) deps.triggers.wake()
  await tellFacts(deps)
  const [contact, other] = await Promise.all(
    [merge.kept_id, merge.other_id].map((id) => getContact(deps, propertyId, id)),
  )
  return { contact: contact!, other: other! }
}

const AT_ONCE = 50

/** What is kept for an undo goes when there is none any more. @returns of how many merges. */
export async function forgetOldMerges({ records, now }: Pick<MergeDeps, 'records' | 'now'>): Promise<number> {
  const forgotten = await inSteps((most) => forgetSnapshots(records, now() - UNDO_MS, most), AT_ONCE)
  if (forgotten > 0) await scrubDeleted(records)
  return forgotten
}
