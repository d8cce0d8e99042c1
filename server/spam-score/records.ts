// What the records know of an address, a text and a set of signals. Each statement uses an index and reads
// few rows, however many an address or a flood has stored.
import type { Records } from '../stores/records.ts'
import type { FormSessionTable } from '../stores/tables/form-tables.ts'

/**
 * Form sessions of an address that are read, newest first. A row can be as long as the longest body, and an
 * address can store as many a day as the public rate limit allows.
 */
const MAX_SESSIONS = 200

export type EarlierSession = Pick<
  FormSessionTable,
  'token_hash' | 'form_id' | 'agent_mac' | 'opened_ms' | 'consumed_ms' | 'traps'
>

export async function listSessionsOfAddress(
  records: Records,
  propertyId: string,
  addressMac: string,
  sinceMs: number,
): Promise<EarlierSession[]> {
  return records
    .selectFrom('form_sessions')
    .select(['token_hash', 'form_id', 'agent_mac', 'opened_ms', 'consumed_ms', 'traps'])
    .where('property_id', '=', propertyId)
    .where('address_mac', '=', addressMac)
    .where('opened_ms', '>=', sinceMs)
    .orderBy('opened_ms', 'desc')
    .limit(MAX_SESSIONS)
    .execute()
}

/** Which submissions are compared: those since then, and no more than `limit`. */
interface Compared {
  readonly sinceMs: number
  readonly limit: number
}

/** At most `limit`. */
export async function countSameTexts(
  records: Records,
  propertyId: string,
  bodyMac: string,
  { sinceMs, limit }: Compared,
): Promise<number> {
  const rows = await records
    .selectFrom('submissions')
    .select('submitted_ms')
    .where('property_id', '=', propertyId)
    .where('body_mac', '=', bodyMac)
    .where('submitted_ms', '>=', sinceMs)
    .limit(limit)
    .execute()
  return rows.length
}

/** With a text other than this one. At most `limit`. */
export async function countSameSignals(
  records: Records,
  propertyId: string,
  { bodyMac, signalsMac }: { readonly bodyMac: string | null; readonly signalsMac: string },
  { sinceMs, limit }: Compared,
): Promise<number> {
  const rows = await records
    .selectFrom('submissions')
    .select('body_mac')
    .where('property_id', '=', propertyId)
    .where('signals_mac', '=', signalsMac)
    .where('submitted_ms', '>=', sinceMs)
    .orderBy('submitted_ms', 'desc')
    .limit(limit)
    .execute()
  return rows.filter((row) => bodyMac === null || row.body_mac !== bodyMac).length
}
