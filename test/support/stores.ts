// Empty stores in a folder, as a first start leaves them, without the time that it takes.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Config, readConfig } from '../../server/config.ts'
import { openSecret } from '../../server/secret.ts'
import { copyFacts, copyRecords } from './models.ts'
import { newDataDir } from './records.ts'

/** What is on a server is made there. */
export async function fillDataDir(config: Config, hasOwnFacts: boolean): Promise<void> {
  openSecret(config, randomBytes)
  if (config.databaseUrl === null) await copyRecords(config.dataDir)
  if (hasOwnFacts && config.clickhouseUrls.length === 0) await copyFacts(config.dataDir, config)
}

/** @returns a DATA_DIR for commands, which are not about its making. */
export async function newStores(t: Pick<TestContext, 'after'>, hasOwnFacts = false): Promise<string> {
  const dataDir = newDataDir(t)
  await fillDataDir(readConfig({ DATA_DIR: dataDir }), hasOwnFacts)
  return dataDir
}
