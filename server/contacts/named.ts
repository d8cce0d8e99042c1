// Contacts by what their owner knows of them, for commands that have no id at hand; and what people are
// called by, where only their ids are known.
import { readEmail } from '../kernel/email.ts'
import { invalid } from '../kernel/problem.ts'
import type { Records } from '../stores/records.ts'
import { shownContact } from './contact-model.ts'
import { listMergedIds } from './alias-records.ts'
import { columns, contactOf, contactsOf, listContactIds, toRow } from './records.ts'

/** What names one contact or, as an address may, several. */
export type NamedBy = { readonly external_id: string } | { readonly email: string }

function columnOf(by: NamedBy): readonly ['external_id' | 'email_key', string] {
  if ('external_id' in by) return ['external_id', by.external_id.trim()]
  const address = readEmail(by.email)
  if (!address) throw invalid('email', 'email is not an email address.')
  return ['email_key', address.key]
}

/**
 * Ids, the oldest contact first. Of deleted contacts none: neither names them any more.
 * @throws Problem('validation_failed') when the address is none.
 */
export async function listNamedContacts(records: Records, propertyId: string, by: NamedBy): Promise<string[]> {
  const [column, value] = columnOf(by)
  return listContactIds(records, propertyId, column, value)
}

/**
 * By id. Left out: who is not of the property, was deleted, or has neither name, address nor external id.
 * @param ids few enough for one statement.
 */
export async function findContactNames(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<Record<string, string>> {
  if (ids.length === 0) return {}
  const merged = await listMergedIds(records, propertyId, ids)
  const wanted = [...ids, ...merged.map(({ contact_id }) => contact_id)]
  const rows = await contactsOf(records, propertyId)
    .select(columns)
    .where('id', 'in', wanted)
    .where('state', '!=', 'deleted')
    .execute()
  const names = rows.map((row) => {
    const { id, full_name, email, external_id } = shownContact(contactOf(toRow(row)))
    return [id, full_name ?? email ?? external_id] as const
  })
  const byId = new Map(names.filter((pair): pair is [string, string] => pair[1] !== null))
  const toKept = new Map(merged.map(({ alias, contact_id }) => [alias, contact_id]))
  return Object.fromEntries(
    ids.flatMap((id) => {
      const name = byId.get(toKept.get(id) ?? id)
      return name === undefined ? [] : [[id, name] as const]
    }),
  )
}
