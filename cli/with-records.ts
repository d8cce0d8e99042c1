// Opens only the records, for commands that do not need the facts.
import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '../server/config.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { refuseOtherSecret } from '../server/same-secret.ts'
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
  const secret = config.databaseUrl === null ? openSecret(config, randomBytes) : config.secret
  const records = await openRecords(config)
  try {
    if (secret !== null) await refuseOtherSecret(config, records, openKeys(secret))
    await withMigrationLock(records, () => migrateRecords(records))
    return await work({ config, records, now: Date.now, randomBytes })
  } finally {
    await records.destroy()
  }
}
