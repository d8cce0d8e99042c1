// Whether the secret of this process is the one under which the installation keeps its records. With another
// one nothing fails at once: visitors would have two sessions, ids and forms of other nodes would be refused,
// and what is encrypted could not be read.
import type { Logger } from 'pino'
import { type Config, SettingError } from './config.ts'
import { type Keys, mac } from './kernel/keys.ts'
import { findFingerprint, keepFirstFingerprint } from './secret-records.ts'
import type { Records } from './stores/records.ts'

/** Tells secrets apart and nothing of them: a MAC under a key that is derived for it alone. */
export const fingerprintOf = (keys: Keys): string => mac(keys('fingerprint'), 'secret').toString('hex')

/** True where no secret is known yet. */
export async function isSameSecret(records: Records, keys: Keys): Promise<boolean> {
  const known = await findFingerprint(records)
  return known === undefined || known === fingerprintOf(keys)
}

/** Changes nothing. @throws SettingError when the records were kept under another secret. */
export async function refuseOtherSecret(config: Config, records: Records, keys: Keys): Promise<void> {
  if (await isSameSecret(records, keys)) return
  throw config.secret === null
    ? new SettingError('DATA_DIR', `holds another secret than the one of ${OF_RECORDS}`)
    : new SettingError('SECRET', `is not the one of ${OF_RECORDS}`)
}

const OF_RECORDS =
  'these records: every node needs the same. To change it on purpose, stop all nodes and run `footfall secret change` with the new one'

/** The first start of an installation decides. @throws SettingError when another node was first. */
export async function keepSecret(config: Config, records: Records, keys: Keys): Promise<void> {
  await keepFirstFingerprint(records, fingerprintOf(keys))
  await refuseOtherSecret(config, records, keys)
}

export function warnAboutSecret(config: Config, log: Pick<Logger, 'warn'>): void {
  if (config.databaseUrl !== null && config.clickhouseUrls.length > 0 && config.secret === null) {
    log.warn('SECRET is not set although both stores are shared: a second node would not know the ids of this one')
  }
}
