// `footfall secret change`: takes another secret for the installation, on purpose. Without it a node with
// another one does not start.
import { randomBytes } from 'node:crypto'
import { readConfig } from '../server/config.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { fingerprintOf, isSameSecret } from '../server/same-secret.ts'
import { replaceFingerprint } from '../server/secret-records.ts'
import { openSecret } from '../server/secret.ts'
import { migrateRecords } from '../server/stores/migrations/records.ts'
import { withMigrationLock } from '../server/stores/records.ts'
import { withRecordsOf } from './with-records.ts'
import { answer, readOptions, UsageError, write } from './command.ts'

const usage = `footfall secret change [--json]

Makes SECRET, or the file DATA_DIR/secret if it is not set, the secret of this installation. Stop all nodes first, give each of
them the new secret, run this once, and start them again.

Anything signed or encrypted with the old secret becomes invalid: session ids and setup links are unknown, signing secrets of
webhooks must be rotated, and people with two-factor authentication must sign in with a recovery code.`

/** @returns whether it was another one. */
async function change(): Promise<boolean> {
  const config = readConfig()
  const keys = openKeys(openSecret(config, randomBytes))
  return withRecordsOf(config, (records) =>
    withMigrationLock(records, async () => {
      await migrateRecords(records)
      const isOther = !(await isSameSecret(records, keys))
      await replaceFingerprint(records, fingerprintOf(keys))
      return isOther
    }),
  )
}

export async function secret(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  if (positionals.join(' ') !== 'change') throw new UsageError('the only action is change')
  const changed = await change()
  answer(values.json, { changed }, [
    changed
      ? 'The secret was changed. Rotate the signing secrets of webhooks; authenticators have to be set up anew.'
      : 'This already is the secret of the installation.',
  ])
  return 0
}
