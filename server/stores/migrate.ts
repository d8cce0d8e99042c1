// Brings both stores up to date and mends what a crash left half done in embedded facts, at every start and
// by `footfall migrate`. Nodes that start together take turns.
import type { Logger } from 'pino'
import type { Facts } from './facts.ts'
import { mendFolds } from './facts/mend.ts'
import { migrateFacts } from './migrations/facts.ts'
import { migrateRecords } from './migrations/records.ts'
import { type Records, withMigrationLock } from './records.ts'

/**
 * @returns the migrations of the records that were run now. @throws Error when either store was migrated by a
 *   newer version of the program.
 */
export async function migrateStores(records: Records, facts: Facts, log: Pick<Logger, 'info'>): Promise<string[]> {
  return withMigrationLock(records, async () => {
    const run = await migrateRecords(records)
    for (const name of run) log.info({ migration: name }, 'records migrated')
    await migrateFacts(facts)
    if (facts.layout.database === null) await mendFolds(facts)
    return run
  })
}
