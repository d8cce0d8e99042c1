// The statements of the outbox of mail and of its log. A claim moves the next attempt to the end of a lease:
// whoever holds it writes what became of the mail, and who dies gives it back by doing nothing.
import { claimOldest } from '../stores/claims.ts'
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { MailRow } from '../stores/tables.ts'
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { MailState } from './mail-model.ts'

export type { MailRow } from '../stores/tables.ts'

/** False when there is one with its key already. */
export async function insertMail(tx: Tx | Records, row: MailRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows: count } = await tx
    .insertInto('mails')
    .values(row)
    .onConflict((of) => of.column('once_key').doNothing())
    .executeTakeFirstOrThrow()
  return (count ?? 0n) > 0n
}

interface Lately {
  readonly kind: string
  readonly sinceMs: number
}

const lately = (records: Records | Tx, { kind, sinceMs }: Lately) =>
  records
    .selectFrom('mails')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('created_ms', '>', sinceMs)

export async function countRowsTo(records: Records | Tx, inboxKey: string, of: Lately): Promise<number> {
  return (await lately(records, of).where('inbox_key', '=', inboxKey).executeTakeFirstOrThrow()).count
}

export async function countRowsOf(records: Records | Tx, propertyId: string, of: Lately): Promise<number> {
  return (await lately(records, of).where('property_id', '=', propertyId).executeTakeFirstOrThrow()).count
}

/** What the mail server said of the last mail to each address, where it refused that one. */
export async function selectLastErrors(
  records: Records | Tx,
  propertyId: string,
  toKeys: readonly string[],
): Promise<Map<string, string>> {
  if (toKeys.length === 0) return new Map()
  const finished = records
    .selectFrom('mails')
    .where('property_id', '=', propertyId)
    .where('to_key', 'in', toKeys)
    .where('state', 'in', ['sent', 'failed'])
  const latest = await finished
    .select(['to_key', (of) => of.fn.max('finished_ms').as('finished_ms')])
    .groupBy('to_key')
    .execute()
  if (latest.length === 0) return new Map()
  const moments = new Map(latest.map(({ to_key, finished_ms }) => [to_key, finished_ms]))
  const rows = await finished
    .select(['to_key', 'finished_ms', 'state', 'error'])
    .where('finished_ms', 'in', [...moments.values()])
    .execute()
  const last = rows.filter(({ to_key, finished_ms }) => finished_ms === moments.get(to_key))
  return new Map(last.flatMap(({ to_key, state, error }) => (state === 'failed' ? [[to_key, error ?? '']] : [])))
}

export async function selectOnceKeys(records: Records, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await records.selectFrom('mails').select('once_key').where('once_key', 'in', keys).execute()
  return rows.flatMap(({ once_key }) => once_key ?? [])
}

/** The oldest that is due. */
export const claimMail = (
  records: Records,
  claim: { readonly nowMs: number; readonly untilMs: number },
): Promise<MailRow | undefined> => claimOldest(records, { table: 'mails', states: ['pending'], ...claim })

type Change = Partial<Pick<MailRow, 'state' | 'attempts' | 'error' | 'claimed_until_ms' | 'finished_ms' | 'content'>>

/** False when the claim was lost meanwhile: the mail was erased, or another process has it. */
export async function noteMail(
  records: Records,
  { id, claimed_until_ms }: Pick<MailRow, 'id' | 'claimed_until_ms'>,
  change: Change,
): Promise<boolean> {
  const changed = await changedBy(
    records
      .updateTable('mails')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .where('claimed_until_ms', '=', claimed_until_ms),
  )
  return changed > 0
}

const listed = [
  'id',
  'property_id',
  'kind',
  'to_email',
  'subject',
  'state',
  'attempts',
  'error',
  'created_ms',
  'claimed_until_ms',
  'finished_ms',
] as const

export type ListedMailRow = Pick<MailRow, (typeof listed)[number]>

interface Filter {
  /** Undefined: of all properties, and of none. */
  readonly propertyId: string | undefined
  readonly state: MailState | undefined
}

/** Newest first. */
export async function listMailRows(
  records: Records,
  { propertyId, state }: Filter,
  query: PageQuery,
): Promise<Listed<ListedMailRow>> {
  const all = records
    .selectFrom('mails')
    .$if(propertyId !== undefined, (of) => of.where('property_id', '=', propertyId!))
    .$if(state !== undefined, (of) => of.where('state', '=', state!))
  const rows = await all
    .select(listed)
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  const { total } = await all.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** Those that are over and from before the moment. @returns how many went. */
export async function removeSomeOld(records: Records, beforeMs: number, most: number): Promise<number> {
  const old = records
    .selectFrom('mails')
    .select('id')
    .where('created_ms', '<', beforeMs)
    .where('state', '!=', 'pending')
    .orderBy('created_ms')
    .limit(most)
  return changedBy(records.deleteFrom('mails').where('id', 'in', old))
}
