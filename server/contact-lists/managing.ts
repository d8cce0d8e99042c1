// Lists as members of a property see and set them.
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { findFormNames } from '../forms/forms.ts'
import { missingSettings } from '../mail/mail.ts'
import { getContact } from '../contacts/contacts.ts'
import { countLabels } from '../contacts/label-records.ts'
import { labelKey, readLabel } from '../contacts/label-text.ts'
import { sendAgain } from './contact-lists.ts'
import { membershipFacts } from './membership.ts'
import { countMemberships, listListForms, listMemberships, listRules, replaceListForms, saveRule } from './records.ts'
import type { ListInputJson, ListJson, ListsJson, MembershipJson } from './schema.ts'

type ListsDeps = Pick<Context, 'records' | 'config'>

/** In the choices of members. */
const MOST_LISTS = 1_000

/** Those with a rule, and those that somebody is in. */
export async function readLists({ records, config }: ListsDeps, propertyId: string): Promise<ListsJson> {
  const labels = await countLabels(records, propertyId, MOST_LISTS)
  const used = labels.filter(({ kind }) => kind === 'list')
  const [rules, forms, counts] = await Promise.all([
    listRules(records, propertyId),
    listListForms(records, propertyId),
    countMemberships(records, propertyId),
  ])
  const names = new Map(used.map(({ label }) => [labelKey(label), label]))
  for (const { list_key, name } of rules) if (!names.has(list_key)) names.set(list_key, name)
  const countOf = (key: string, state: string) =>
    counts.find((row) => row.list_key === key && row.state === state)?.count ?? 0
  const lists = [...names].map(([key, name]) => ({
    name,
    is_confirmed: rules.some((rule) => rule.list_key === key && rule.is_confirmed === 1),
    form_ids: forms.filter((row) => row.list_key === key).map(({ form_id }) => form_id),
    contacts: used.find(({ label }) => labelKey(label) === key)?.contacts ?? 0,
    pending: countOf(key, 'pending'),
    unsubscribed: countOf(key, 'unsubscribed'),
  }))
  return { lists: lists.toSorted((a, b) => a.name.localeCompare(b.name)), missing_settings: missingSettings(config) }
}

/** @throws Problem('validation_failed') for a name that is none, or a form of another property. */
export async function saveList(deps: ListsDeps, propertyId: string, body: ListInputJson): Promise<ListJson> {
  const { key, label } = readLabel('name', body.name)
  const before = (await readLists(deps, propertyId)).lists.find((list) => labelKey(list.name) === key)
  const name = before?.name ?? label
  const is_confirmed = Number(body.is_confirmed ?? before?.is_confirmed ?? false)
  const formIds = body.form_ids === undefined ? undefined : [...new Set(body.form_ids)]
  const known = await findFormNames(deps.records, propertyId, formIds ?? [])
  const stranger = formIds?.findIndex((id) => !known.has(id)) ?? -1
  if (stranger !== -1)
    throw new Problem('validation_failed', `form_ids.${stranger} is not a form of this property.`, {
      errors: { [`form_ids.${stranger}`]: [`form_ids.${stranger} is not a form of this property.`] },
    })
  await deps.records.transaction().execute(async (tx) => {
    await saveRule(tx, { property_id: propertyId, list_key: key, name, is_confirmed })
    if (formIds) await replaceListForms(tx, propertyId, key, formIds)
  })
  const { lists } = await readLists(deps, propertyId)
  return lists.find((list) => labelKey(list.name) === key)!
}

/** @throws Problem('not_found') */
export async function readMemberships(
  deps: Pick<Context, 'records' | 'facts' | 'log' | 'config'>,
  propertyId: string,
  contactId: string,
): Promise<MembershipJson[]> {
  const { id } = await getContact(deps, propertyId, contactId)
  const rows = await listMemberships(deps.records, propertyId, id)
  const forms = await findFormNames(
    deps.records,
    propertyId,
    rows.flatMap(({ form_id }) => form_id ?? []),
  )
  return rows.map((row) => ({
    id: row.id,
    ...membershipFacts(row),
    form: row.form_id === null ? null : { id: row.form_id, name: forms.get(row.form_id)?.name ?? null },
    unsubscribe_url: `${deps.config.baseUrl}/lists/leave/${row.id}`,
  }))
}

/** @throws Problem: not_found; conflict; rate_limited. */
export async function askAgain(
  deps: Pick<Context, 'records' | 'facts' | 'log' | 'config' | 'keys' | 'now' | 'randomBytes'>,
  propertyId: string,
  { contactId, id }: { readonly contactId: string; readonly id: string },
): Promise<void> {
  const contact = await getContact(deps, propertyId, contactId)
  await deps.records.transaction().execute(async (tx) => {
    const found = (await listMemberships(tx, propertyId, contact.id)).find((row) => row.id === id)
    if (!found) throw new Problem('not_found', 'The membership is not one of this contact.')
    await sendAgain(deps, tx, found)
  })
}
