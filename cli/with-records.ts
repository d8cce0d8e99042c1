// Opens only the records, for commands that do not need the facts.
import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '../server/config.ts'
import { openSecret } from '../server/secret.ts'
import { openRecords, type Records, withMigrationLock } from '../server/stores/records.ts'
import { migrateRecords } from '../server/stores/migrations/records.ts'

export interface Recorded {
  readonly config: Config
  readonly records: Records
  readonly now: () => number
  readonly randomBytes: (bytes: number) => Buffer
}

/** Other processes may have the records open too: these commands work while the server runs. */
export async function withRecords<T>(work: (deps: Recorded) => Promise<T>): Promise<T> {
  const config = readConfig()
  // Creating the records also creates the secret that belongs to them: a DATA_DIR with records but no secret
  // has lost it.
  if (config.databaseUrl === null) openSecret(config, randomBytes)
  const records = await openRecords(config)
  try {
    await withMigrationLock(records, () => migrateRecords(records))
    return await work({ config, records, now: Date.now, randomBytes })
  } finally {
    await records.destroy()
  }
}
