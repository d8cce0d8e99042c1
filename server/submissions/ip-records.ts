// The statements about IP addresses that are stored with submissions. They go along an index of those that
// have one.
import { sql } from 'kysely'
import type { Records, Tx } from '../stores/records.ts'
import type { SubmissionTable } from '../stores/tables/form-tables.ts'

export interface RowWithIp extends Pick<SubmissionTable, 'ip' | 'network'> {
  readonly seq: number
}

/** As the index has it, word for word: a parameter would lead past it. */
const hasIp = sql<boolean>`ip <> ''`

/** Those sent before then. */
export async function listRowsWithIp(
  records: Records,
  formId: string,
  beforeMs: number,
  limit: number,
): Promise<RowWithIp[]> {
  return records
    .selectFrom('submissions')
    .select(['seq', 'ip', 'network'])
    .where('form_id', '=', formId)
    .where('submitted_ms', '<', beforeMs)
    .where(hasIp)
    .limit(limit)
    .execute()
}

/** @param seqs few enough for one statement. */
export async function clearIps(tx: Tx, network: string, seqs: readonly number[]): Promise<void> {
  await tx.updateTable('submissions').set({ ip: '', network }).where('seq', 'in', seqs).execute()
}

/** The time of notice is over, and nothing is left that it was about. */
export async function endNotice(records: Records, formId: string): Promise<void> {
  await records.updateTable('forms').set({ stored_ips_until_ts: null }).where('id', '=', formId).execute()
}

export interface IpNotice {
  /** How many have addresses from before. */
  readonly forms: number
  /** Unix seconds: the first of them go then. */
  readonly until_ts: number
}

/** Of all properties; undefined when there is nothing to tell. */
export async function findIpNotice(records: Records): Promise<IpNotice | undefined> {
  const { forms, until_ts } = await records
    .selectFrom('forms')
    .select((of) => [
      of.fn.countAll<number>().as('forms'),
      of.fn.min<number | null>('stored_ips_until_ts').as('until_ts'),
    ])
    .where('stored_ips_until_ts', 'is not', null)
    .executeTakeFirstOrThrow()
  return until_ts === null ? undefined : { forms, until_ts }
}
