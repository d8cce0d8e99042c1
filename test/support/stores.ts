// Stores in a folder: empty ones as a first start leaves them, without the time that it takes, and the facts
// that a service has left behind.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { type Config, readConfig } from '../../server/config.ts'
import { openSecret } from '../../server/secret.ts'
import { type Facts, openFacts } from '../../server/stores/facts.ts'
import { copyFacts, copyRecords } from './models.ts'
import { PATIENCE_MS } from './patience.ts'
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

/** Of a folder in which no service runs any more. Whoever asks waits until its log is stored. */
export const openLeftFacts = (dataDir: string): Promise<Facts> =>
  openFacts({
    dataDir,
    urls: [],
    cluster: null,
    memoryMb: 512,
    threads: 2,
    fsync: true,
    patienceMs: PATIENCE_MS,
    log: pino({ level: 'silent' }),
  })
