// The time as all nodes of an installation have it: that of the database which they share.
import { sql } from 'kysely'
import { type Records, recordsKind } from './records.ts'

/**
 * Whole milliseconds since the Unix epoch, as columns have them; undefined where the records are a file of
 * this machine.
 */
export function storeClockOf(records: Records): (() => Promise<number>) | undefined {
  if (recordsKind(records) === 'sqlite') return undefined
  return async () => {
    const { rows } = await sql<{
      ms: number
    }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(records)
    return Math.round(rows[0]!.ms)
  }
}
