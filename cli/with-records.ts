// Opens only the records, for commands that do not need the facts.
import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '../server/config.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { findPause } from '../server/pause-records.ts'
import { refuseOtherSecret } from '../server/same-secret.ts'
import { openSecret } from '../server/secret.ts'
import { placeOfFacts } from '../server/stores/facts-place.ts'
import { WriteGate } from '../server/stores/gate.ts'
import { openRecords, type Records, withMigrationLock } from '../server/stores/records.ts'
import { migrateRecords } from '../server/stores/migrations/records.ts'

export interface Recorded {
  readonly config: Config
  readonly records: Records
  readonly now: () => number
  readonly randomBytes: (bytes: number) => Buffer
}

/** As they are: nothing is migrated, and a pause of writes stops nothing. */
export async function withRecordsOf<Result>(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (records: Records) => Promise<Result>,
): Promise<Result> {
  const records = await openRecords(config)
  try {
    return await work(records)
  } finally {
    await records.destroy()
  }
}

/** Other processes may have the records open too: these commands work while the server runs. */
export async function withRecords<T>(work: (deps: Recorded) => Promise<T>): Promise<T> {
  const config = readConfig()
  // Creating the records also creates the secret that belongs to them: a DATA_DIR with records but no secret
  // has lost it.
  const secret = config.databaseUrl === null ? openSecret(config, randomBytes) : config.secret
  const gate = new WriteGate()
  const records = await openRecords(config, gate)
  try {
    if (secret !== null) await refuseOtherSecret(config, records, openKeys(secret))
    await withMigrationLock(records, () => migrateRecords(records))
    // Each time: the service may be moved while a long command runs.
    gate.freshen = async () => {
      if (await findPause(records, placeOfFacts(config))) void gate.close()
    }
    return await work({ config, records, now: Date.now, randomBytes })
  } finally {
    await records.destroy()
  }
}
