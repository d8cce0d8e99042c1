// `footfall backup` and `footfall restore`: the embedded stores and the secret as a folder, and back. Both
// need the server to be stopped.
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { type Config, factsSettings, readConfig } from '../server/config.ts'
import { VERSION } from '../server/version.ts'
import { backUpFacts, backUpRecords, restoreFacts, restoreRecords } from '../server/stores/backup.ts'
import { type Facts, openFacts } from '../server/stores/facts.ts'
import { migrateStores } from '../server/stores/migrate.ts'
import { openRecords } from '../server/stores/records.ts'
import { answer, readOptions, UsageError, write } from './command.ts'

const usage = `footfall backup FOLDER [--json]
footfall restore FOLDER [--json]

backup copies both stores and the secret of DATA_DIR into FOLDER, which must not exist or be empty. restore makes a DATA_DIR out of such a
folder; there must be none, or an empty one. The server has to be stopped for both.

The folder holds everything, the people and the secret too: keep it as you keep DATA_DIR. A store on a server (DATABASE_URL,
CLICKHOUSE_URL) is left to its own tools, and the answer says so. With SECRET set, the secret is not in the folder.`

const quiet = pino({ level: 'silent' })
const MANIFEST = 'backup.json'
const SECRET = 'secret'

interface Parts {
  /** Whether the folder contains the store. */
  readonly facts: boolean
  readonly records: boolean
}

interface Manifest extends Parts {
  readonly version: string
  readonly created_ts: number
}

const partsOf = ({ clickhouseUrls, databaseUrl }: Config): Parts => ({
  facts: clickhouseUrls.length === 0,
  records: databaseUrl === null,
})

/** Empties a folder that existed before: it may be a mount point, which cannot be removed. */
async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Fills a folder that is empty or missing. On failure it is emptied again, and the error is the original one.
 */
async function fill(folder: string, what: string, work: () => Promise<void>): Promise<void> {
  const names = await readdir(folder).catch(() => undefined)
  if (names && names.length > 0) throw new Error(`${what} ${folder} is not empty.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  try {
    await work()
  } catch (error) {
    const emptied = names ? clear(folder) : rm(folder, { recursive: true, force: true })
    await emptied.catch(() => undefined)
    throw error
  }
}

/** While it is open, this also proves that no server has the store open. */
async function withFacts<Result>(config: Config, work: (facts: Facts) => Promise<Result>): Promise<Result> {
  const facts = await openFacts({ ...factsSettings(config), log: quiet })
  try {
    return await work(facts)
  } finally {
    await facts.close()
  }
}

function linesOf(done: string, folder: string, { facts, records }: Parts): string[] {
  const elsewhere = [
    ...(facts ? [] : ['The facts are on the server of CLICKHOUSE_URL, which has tools of its own for this.']),
    ...(records ? [] : ['The records are on the server of DATABASE_URL, which has tools of its own for this.']),
  ]
  return [`${done} ${folder}.`, ...elsewhere]
}

// ---------------------------------------------------------------- there

async function copyAll(config: Config, folder: string): Promise<Manifest> {
  const parts = partsOf(config)
  const { dataDir } = config
  if (parts.facts) await withFacts(config, (facts) => backUpFacts(facts, dataDir, folder))
  if (parts.records) await backUpRecords(dataDir, folder)
  if (config.secret === null) await copyFile(join(dataDir, SECRET), join(folder, SECRET))
  const manifest = { version: VERSION, created_ts: Math.floor(Date.now() / 1000), ...parts }
  // Written last: a folder without it is not a backup.
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest)}\n`)
  return manifest
}

export async function backup(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0) throw new UsageError('backup takes one FOLDER')
  const config = readConfig()
  if (!existsSync(config.dataDir)) throw new Error(`There is nothing in ${config.dataDir}.`)
  const folder = resolve(given)
  await fill(folder, 'The folder', async () => {
    const manifest = await copyAll(config, folder)
    answer(values.json, { folder, ...manifest }, linesOf('Copied to', folder, manifest))
  })
  return 0
}

// ---------------------------------------------------------------- and back

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`${folder} is no whole backup: it has no ${MANIFEST}.`)
  return JSON.parse(text) as Manifest
}

async function putBack(config: Config, folder: string, manifest: Manifest): Promise<void> {
  const { dataDir } = config
  const secret = join(folder, SECRET)
  if (config.secret === null && existsSync(secret)) {
    await copyFile(secret, join(dataDir, SECRET))
    await chmod(join(dataDir, SECRET), 0o600)
  }
  if (manifest.records) await restoreRecords(dataDir, folder)
  await withFacts(config, async (facts) => {
    if (manifest.facts) await restoreFacts(facts, dataDir, folder)
    const records = await openRecords(config)
    try {
      // A backup of an older version is migrated; that of a newer one is refused.
      await migrateStores(records, facts, quiet)
    } finally {
      await records.destroy()
    }
  })
}

export async function restore(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0) throw new UsageError('restore takes one FOLDER')
  const [config, folder] = [readConfig(), resolve(given)]
  const manifest = await readManifest(folder)
  const parts = partsOf(config)
  if (parts.facts !== manifest.facts || parts.records !== manifest.records)
    throw new Error('The backup is of other stores than DATABASE_URL and CLICKHOUSE_URL name.')
  await fill(config.dataDir, 'DATA_DIR', () => putBack(config, folder, manifest))
  answer(values.json, { data_dir: config.dataDir, ...manifest }, linesOf('Restored into', config.dataDir, manifest))
  return 0
}
