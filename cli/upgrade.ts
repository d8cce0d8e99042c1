// `footfall upgrade --check`: what the next start will migrate, how long that takes, and how to go back. It
// changes nothing: records in SQLite are migrated in a copy, so that what is said was tried.
import { existsSync, statfsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { fullTarget, openRepository } from '../server/backups/backups.ts'
import { type Config, factsSettings, readConfig } from '../server/config.ts'
import { pinRecords } from '../server/stores/backup.ts'
import { openFacts } from '../server/stores/facts.ts'
import { dueFactMigrations } from '../server/stores/migrations/facts.ts'
import { countRecordRows, dueRecordMigrations, migrateRecords } from '../server/stores/migrations/records.ts'
import { openRecords, type Records } from '../server/stores/records.ts'
import { VERSION } from '../server/version.ts'
import { findService } from './doctor-service.ts'
import { answer, counted, readOptions, UsageError, write } from './command.ts'

const usage = `footfall upgrade --check [--json]

Shows what the next start of this version will migrate, how long it takes and how to go back. Changes nothing, and can run
while an older version is serving. Records in SQLite are migrated in a copy, which needs the same space again; the time for
PostgreSQL is estimated from its rows. See docs/upgrade.md.`

const quiet = pino({ level: 'silent' })

/** Of PostgreSQL, a migration that goes through all rows of all tables: more than any does. */
const SECONDS_A_ROW = 0.000_05
/** New tables and columns; no row is rewritten, however many there are. */
const SECONDS_A_FACT_MIGRATION = 0.2
/** Beside the copy, for what the service writes meanwhile. */
const ROOM_FACTOR = 1.2

interface Due {
  readonly due: readonly string[]
  readonly seconds: number
  /** tried: on a copy. estimated: from the rows. none: nothing is due. */
  readonly basis: 'tried' | 'estimated' | 'none'
}

/** Facts that a running service holds cannot be looked into. */
type DueFacts = Due | { readonly due: null; readonly seconds: number; readonly basis: 'unknown' }

interface Kept {
  readonly id: string
  readonly created_ts: number
  readonly version: string
}

// ---------------------------------------------------------------- records

function assertRoom(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < statSync(file).size * ROOM_FACTOR)
    throw new Error(`There is too little room in ${folder} to try the migrations in a copy of the records.`)
}

/** How long the migrations take in a copy, which proves that they can be run. */
async function tryRecords(dataDir: string): Promise<number> {
  assertRoom(join(dataDir, 'records.sqlite'), dataDir)
  const folder = await mkdtemp(join(dataDir, 'upgrade-'))
  try {
    const pinned = pinRecords(dataDir)
    await pinned.copyTo(join(folder, 'records.sqlite')).finally(() => pinned.close())
    const copy = await openRecords({ databaseUrl: null, dataDir: folder })
    try {
      const startMs = performance.now()
      await migrateRecords(copy)
      return (performance.now() - startMs) / 1000
    } finally {
      await copy.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function dueIn(records: Records, config: Config): Promise<Due> {
  const due = await dueRecordMigrations(records)
  if (due.length === 0) return { due, seconds: 0, basis: 'none' }
  if (config.databaseUrl === null) return { due, seconds: await tryRecords(config.dataDir), basis: 'tried' }
  return { due, seconds: (await countRecordRows(records)) * SECONDS_A_ROW + due.length, basis: 'estimated' }
}

async function dueRecords(config: Config): Promise<Due> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'records.sqlite')))
    return { due: [], seconds: 0, basis: 'none' }
  const records = await openRecords(config)
  try {
    return await dueIn(records, config)
  } finally {
    await records.destroy()
  }
}

// ---------------------------------------------------------------- facts

async function dueFacts(config: Config): Promise<DueFacts> {
  const isEmbedded = config.clickhouseUrls.length === 0
  if (isEmbedded && !existsSync(join(config.dataDir, 'facts'))) return { due: [], seconds: 0, basis: 'none' }
  if (isEmbedded && (await findService(config)))
    return { due: null, seconds: SECONDS_A_FACT_MIGRATION, basis: 'unknown' }
  const facts = await openFacts({ ...factsSettings(config), isPatient: false, log: quiet })
  try {
    const due = await dueFactMigrations(facts)
    const seconds = due.length * SECONDS_A_FACT_MIGRATION
    return { due, seconds, basis: due.length === 0 ? 'none' : 'estimated' }
  } finally {
    await facts.close()
  }
}

// ---------------------------------------------------------------- the way back

async function findKept(config: Config): Promise<Kept | null> {
  if (config.backupTo === null) return null
  const repository = await openRepository(config, fullTarget(config.backupTo))
  const [newest] = await repository.listBackups()
  return newest ? { id: newest.id, created_ts: Math.floor(newest.created_ms / 1000), version: newest.version } : null
}

function secondsWords({ seconds, basis }: Due | DueFacts): string {
  const shown = seconds < 1 ? 'under a second' : counted(Math.ceil(seconds), 'second')
  return basis === 'tried' ? `${shown}, tried on a copy` : `${shown}, estimated`
}

function linesOf(what: string, found: Due | DueFacts): string[] {
  if (found.due === null)
    return [`${what}: in use by the running service; new tables and columns take ${secondsWords(found)}.`]
  if (found.due.length === 0) return [`${what}: up to date.`]
  const migrations = counted(found.due.length, 'migration')
  return [`${what}: ${migrations}, ${secondsWords(found)}.`, ...found.due.map((name) => `  ${name}`)]
}

const backWords = (kept: Kept | null): string =>
  kept
    ? `To go back: stop the service, run \`footfall restore --backup ${kept.id}\` and start the previous version on the result: the backup of ${new Date(kept.created_ts * 1000).toISOString()}.`
    : 'To go back you need a backup, and there is none yet. Back up first: footfall backup FOLDER.'

export async function upgrade(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { check: { type: 'boolean', default: false } })
  if (values.help) {
    write(usage)
    return 0
  }
  if (!values.check || positionals.length > 0)
    throw new UsageError('upgrade can only check: use --check; the next start migrates')
  const config = readConfig()
  const [records, facts] = [await dueRecords(config), await dueFacts(config)]
  const needsBack = records.due.length > 0 || facts.due === null || facts.due.length > 0
  const kept = await findKept(config)
  answer(values.json, { version: VERSION, records, facts, backup: kept }, [
    `This is Footfall ${VERSION}.`,
    ...linesOf('Records', records),
    ...linesOf('Facts', facts),
    ...(needsBack ? [backWords(kept)] : ['The next start has nothing to migrate.']),
  ])
  return 0
}
