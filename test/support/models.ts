// Stores that are migrated and empty, made once in a process: to copy one takes a small part of the time.
// Whatever is about migrations makes its own.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Config, factsSettings } from '../../server/config.ts'
import { type Facts, openFacts } from '../../server/stores/facts.ts'
import { migrateFacts } from '../../server/stores/migrations/facts.ts'
import { migrateRecords } from '../../server/stores/migrations/records.ts'
import { openRecords } from '../../server/stores/records.ts'
import { sqliteFile } from '../../server/stores/sqlite/sqlite.ts'

const log = pino({ level: 'silent' })

let folder: string | undefined

export function openModelFolder(name: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'footfall-models-'))
    process.on('exit', () => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

async function makeRecords(): Promise<string> {
  const dataDir = openModelFolder('records')
  const records = await openRecords({ databaseUrl: null, dataDir })
  await migrateRecords(records)
  await records.destroy()
  return sqliteFile(dataDir)
}

let recordsModel: Promise<string> | undefined

/** Puts migrated records into `dataDir`. */
export async function copyRecords(dataDir: string): Promise<void> {
  recordsModel ??= makeRecords()
  copyFileSync(await recordsModel, sqliteFile(dataDir))
}

/**
 * Each migration left a part of ten files, and a merge left them beside its own: two in three of all the
 * files that a copy would have.
 */
async function packLedger(facts: Facts): Promise<void> {
  for (const statement of [
    'CREATE TABLE packed AS migrations',
    'INSERT INTO packed SELECT * FROM migrations',
    'DROP TABLE migrations SYNC',
    'RENAME TABLE packed TO migrations',
  ])
    await facts.command('test.packLedger', statement)
}

async function makeFacts(config: Config): Promise<string> {
  const dataDir = openModelFolder('facts')
  const facts = await openFacts({ ...factsSettings({ ...config, dataDir }), log })
  await migrateFacts(facts)
  await packLedger(facts)
  await facts.close()
  return join(dataDir, 'facts')
}

let factsModel: Promise<string> | undefined

/**
 * Puts migrated facts of the embedded engine into `dataDir`; none may be open in this process. All of them
 * are without FSYNC.
 */
export async function copyFacts(dataDir: string, config: Config): Promise<void> {
  factsModel ??= makeFacts(config)
  cpSync(await factsModel, join(dataDir, 'facts'), { recursive: true, verbatimSymlinks: true })
}
