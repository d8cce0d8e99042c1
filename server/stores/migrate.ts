// Brings both stores up to date, at every start and by `footfall migrate`. Nodes that start together take turns.
import { type Logger } from 'pino'
import { type Facts } from './facts.ts'
import { migrateFacts } from './migrations/facts.ts'
import { migrateRecords } from './migrations/records.ts'
import { type Records, withMigrationLock } from './records.ts'

/** @throws Error when either store was migrated by a newer version of the program. */
export async function migrateStores(records: Records, facts: Facts, log: Pick<Logger, 'info'>): Promise<void> {
  await withMigrationLock(records, async () => {
    for (const name of await migrateRecords(records)) log.info({ migration: name }, 'records migrated')
    await migrateFacts(facts)
  })
}
