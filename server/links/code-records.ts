// The statements that keep a code taken for ever: after its link moved to the other domain, after it was
// deleted, and after its group or property was.
import type { Records, Tx } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import { type Link, type Place, placeOf } from './link-model.ts'
import { storedLink } from './link-row.ts'

/** A code where it lives. */
export interface CodeKey {
  readonly place: Place
  readonly code: string
}

export const keyOf = (link: Pick<Link, 'domain' | 'host' | 'code'>): CodeKey => ({
  place: placeOf(link),
  code: link.code,
})

export const codeKey = ({ place, code }: CodeKey): string => `${place}/${code}`

/** Keys of the codes that are in use, or once were: also of links that were deleted or moved. */
export async function takenCodes(records: Records, keys: readonly CodeKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const codes = keys.map(({ code }) => code)
  const used = await records.selectFrom('links').select(['domain', 'code']).where('code', 'in', codes).execute()
  const retired = await records
    .selectFrom('retired_codes')
    .select(['domain', 'code'])
    .where('code', 'in', codes)
    .execute()
  const taken = new Set([...used, ...retired].map(({ domain, code }) => codeKey({ place: domain, code })))
  return new Set(keys.map(codeKey).filter((key) => taken.has(key)))
}

export const isCodeTaken = async (records: Records, key: CodeKey): Promise<boolean> =>
  (await takenCodes(records, [key])).size > 0

/**
 * Of codes on a host of the property's own: those that its links have on the short domain itself, which
 * answer on the host as well.
 */
export async function shadowedAmong(
  records: Records,
  propertyId: string,
  links: readonly Pick<Link, 'domain' | 'host' | 'code'>[],
): Promise<Set<string>> {
  const onHosts = links.filter(({ host }) => host !== null)
  if (onHosts.length === 0) return new Set()
  const codes = onHosts.map(({ code }) => code)
  const rows = await records
    .selectFrom('links')
    .select(['domain', 'code'])
    .where('code', 'in', codes)
    .where('property_id', '=', propertyId)
    .where('slot', 'is', null)
    .where('is_deleted', '=', 0)
    .execute()
  const used = new Set(rows.map(({ domain, code }) => codeKey({ place: domain, code })))
  return new Set(onHosts.filter(({ domain, code }) => used.has(`${domain}/${code}`)).map((one) => codeKey(keyOf(one))))
}

/** Of codes whose rows are gone. */
export async function retiredAmong(tx: Tx, links: readonly CodeKey[]): Promise<Set<string>> {
  const codes = links.map(({ code }) => code)
  const rows = await tx.selectFrom('retired_codes').selectAll().where('code', 'in', codes).execute()
  return new Set(rows.map(({ domain, code }) => codeKey({ place: domain, code })))
}

/**
 * By key, of codes that lead nowhere any more: whose link it was that was deleted or moved. Without codes of
 * which nobody knows that.
 */
export async function ownersOfGone(records: Records, keys: readonly CodeKey[]): Promise<Map<string, string>> {
  const codes = keys.map(({ code }) => code)
  const columns = ['domain', 'code', 'property_id'] as const
  const [deleted, retired] = await Promise.all([
    records.selectFrom('links').select(columns).where('code', 'in', codes).where('is_deleted', '=', 1).execute(),
    records.selectFrom('retired_codes').select(columns).where('code', 'in', codes).execute(),
  ])
  const owners = new Map<string, string>()
  for (const { domain: place, code, property_id: id } of [...deleted, ...retired])
    if (id !== null) owners.set(codeKey({ place, code }), id)
  return owners
}

/**
 * The links of a group or a property, deleted ones included. Their codes stay taken: they are retired before
 * the rows go.
 */
export async function deleteLinks(records: Records, column: 'group_id' | 'property_id', id: string): Promise<void> {
  const own = records.selectFrom('links').select('seq').where(column, '=', id)
  await inSteps(async (most) => {
    const seqs = (await own.limit(most).execute()).map(({ seq }) => seq)
    if (seqs.length === 0) return 0
    await records
      .insertInto('retired_codes')
      .columns(['code', 'domain', 'property_id'])
      .expression((of) => of.selectFrom('links').select(['code', 'domain', 'property_id']).where('seq', 'in', seqs))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await records.deleteFrom('links').where('seq', 'in', seqs).execute()
    return seqs.length // not what was deleted: another node may have been quicker
  })
}

/** No id of a link looks like it. */
const leftBehindId = (id: string, place: Place) => `${id}@${place}`

/**
 * A link that moves to the other domain leaves a deleted row where it was: the code stays taken there, and
 * every node learns that it is gone.
 */
export async function leaveBehind(tx: Tx, propertyId: string, link: Link, changeNo: number): Promise<void> {
  const row = {
    ...storedLink(link),
    id: leftBehindId(link.id, placeOf(link)),
    name: null,
    tags: null,
    notes: null,
    destination_url: '',
    utm: '{}',
    search: null,
  }
  await tx
    .insertInto('links')
    .values({ ...row, is_active: 0, is_deleted: 1, property_id: propertyId, change_no: changeNo })
    .execute()
}

/** Before it moves back. @returns the code that the link had there; undefined when it never was there. */
export async function clearLeftBehind(
  tx: Tx,
  propertyId: string,
  id: string,
  place: Place,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('links')
    .where('property_id', '=', propertyId)
    .where('id', '=', leftBehindId(id, place))
    .returning('code')
    .executeTakeFirst()
  return row?.code
}
