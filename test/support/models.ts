// Stores that are migrated and empty, made once in a run of the tests: to copy one takes a small part of the
// time. Whatever is about migrations makes its own.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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

/** Where all processes of a run have them; of this process alone when it was started by hand. */
const shared = process.env['FOOTFALL_TEST_MODELS']

let folder: string | undefined

function modelsFolder(): string {
  if (shared !== undefined) {
    mkdirSync(shared, { recursive: true })
    return shared
  }
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'footfall-models-'))
    process.on('exit', () => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  return folder
}

/** One that another process is about to make is not waited for: whichever is done first stays. */
async function makeModel(name: string, fill: (dataDir: string) => Promise<void>): Promise<string> {
  const path = join(modelsFolder(), name)
  if (existsSync(path)) return path
  const own = mkdtempSync(`${path}-`)
  await fill(own)
  try {
    renameSync(own, path)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
  return path
}

const models = new Map<string, Promise<string>>()

/** @returns its folder. */
export function modelOf(name: string, fill: (dataDir: string) => Promise<void>): Promise<string> {
  const known = models.get(name) ?? makeModel(name, fill)
  models.set(name, known)
  return known
}

async function fillRecords(dataDir: string): Promise<void> {
  const records = await openRecords({ databaseUrl: null, dataDir })
  await migrateRecords(records)
  await records.destroy()
}

/** Puts migrated records into `dataDir`. */
export async function copyRecords(dataDir: string): Promise<void> {
  copyFileSync(sqliteFile(await modelOf('records', fillRecords)), sqliteFile(dataDir))
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

async function fillFacts(dataDir: string, config: Config): Promise<void> {
  const facts = await openFacts({ ...factsSettings({ ...config, dataDir }), log })
  await migrateFacts(facts)
  await packLedger(facts)
  await facts.close()
}

/** How the definition of a table says that its inserts wait for no disk, and that they do. */
const unsynced = /\b(fsync_after_insert|fsync_part_directory) = 0\b/g
const synced = '$1 = 1'

/** One model serves for both: they differ in these words alone. */
function syncTables(factsDir: string): void {
  const files = readdirSync(factsDir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'))
  const changed = files.filter((file) => {
    const path = join(factsDir, file)
    const before = readFileSync(path, 'utf8')
    const after = before.replace(unsynced, synced)
    if (after !== before) writeFileSync(path, after)
    return after !== before
  })
  assert.ok(changed.length > 0, 'no table of the model says whether it is synced')
}

/** Puts migrated facts of the embedded engine into `dataDir`: their tables are synced as `config` says. */
export async function copyFacts(dataDir: string, config: Config): Promise<void> {
  const model = await modelOf('facts', (own) => fillFacts(own, { ...config, fsync: false }))
  cpSync(join(model, 'facts'), join(dataDir, 'facts'), { recursive: true, verbatimSymlinks: true })
  if (config.fsync) syncTables(join(dataDir, 'facts'))
}
