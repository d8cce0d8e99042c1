// What the records know of an address, a text and a set of signals. Each statement uses an index and reads
// few rows, however many an address or a flood has stored.
import type { Records } from '../stores/records.ts'
import { builtOnce } from '../stores/built-once.ts'
import type { FormSessionTable } from '../stores/tables/form-tables.ts'
import { COMPARED_SUBMISSIONS } from './score.ts'

/**
 * Form sessions of an address that are read, newest first. A row can be as long as the longest body, and an
 * address can store as many a day as the public rate limit allows.
 */
const MAX_SESSIONS = 200

export type EarlierSession = Pick<
  FormSessionTable,
  'token_hash' | 'form_id' | 'agent_mac' | 'opened_ms' | 'consumed_ms' | 'traps'
>

interface OfAddress {
  readonly propertyId: string
  readonly addressMac: string
  readonly sinceMs: number
}

const sessionsOfAddress = builtOnce((records, { propertyId, addressMac, sinceMs }: OfAddress) =>
  records
    .selectFrom('form_sessions')
    .select(['token_hash', 'form_id', 'agent_mac', 'opened_ms', 'consumed_ms', 'traps'])
    .where('property_id', '=', propertyId)
    .where('address_mac', '=', addressMac)
    .where('opened_ms', '>=', sinceMs)
    .orderBy('opened_ms', 'desc')
    .limit(MAX_SESSIONS),
)

export async function listSessionsOfAddress(records: Records, asked: OfAddress): Promise<readonly EarlierSession[]> {
  return (await records.executeQuery(sessionsOfAddress(records, asked))).rows
}

/** Which submissions are compared: those since then. */
interface Since {
  readonly propertyId: string
  readonly sinceMs: number
}

interface OfText extends Since {
  readonly bodyMac: string
}

const sameTexts = builtOnce((records, { propertyId, bodyMac, sinceMs }: OfText) =>
  records
    .selectFrom('submissions')
    .select('submitted_ms')
    .where('property_id', '=', propertyId)
    .where('body_mac', '=', bodyMac)
    .where('submitted_ms', '>=', sinceMs)
    .limit(COMPARED_SUBMISSIONS),
)

/** At most COMPARED_SUBMISSIONS. */
export async function countSameTexts(records: Records, asked: OfText): Promise<number> {
  return (await records.executeQuery(sameTexts(records, asked))).rows.length
}

interface OfSignals extends Since {
  readonly signalsMac: string
}

const sameSignals = builtOnce((records, { propertyId, signalsMac, sinceMs }: OfSignals) =>
  records
    .selectFrom('submissions')
    .select('body_mac')
    .where('property_id', '=', propertyId)
    .where('signals_mac', '=', signalsMac)
    .where('submitted_ms', '>=', sinceMs)
    .orderBy('submitted_ms', 'desc')
    .limit(COMPARED_SUBMISSIONS),
)

/** With a text other than this one. At most COMPARED_SUBMISSIONS. */
export async function countSameSignals(records: Records, bodyMac: string | null, asked: OfSignals): Promise<number> {
  const { rows } = await records.executeQuery(sameSignals(records, asked))
  return rows.filter((row) => bodyMac === null || row.body_mac !== bodyMac).length
}
