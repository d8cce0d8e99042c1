// The one query of the records for diagnostics.
import { sql } from 'kysely'
import type { Records } from '../stores/records.ts'

/** @throws whatever the database throws when it cannot answer. */
export async function pingRecords(records: Records): Promise<true> {
  await sql`SELECT 1`.execute(records)
  return true
}
